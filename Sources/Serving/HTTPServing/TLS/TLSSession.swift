import Cgnutls
import CLibrary

/// One side of a TLS connection over a non-blocking socket; used by one thread at a time.
final class TLSSession {
    enum Step: Equatable {
        /// The operation is complete.
        case done
        /// The operation continues when the socket is readable or, with true, writable.
        case wants(output: Bool)
        /// The operation has failed, for the given reason.
        case failed(String)
    }
    enum Received: Equatable {
        case bytes([UInt8])
        case wants(output: Bool)
        /// The peer has closed its side.
        case end
        case failed
    }
    enum Sent: Equatable {
        case bytes(Int)
        case wants(output: Bool)
        case failed
    }
    private let handle: gnutls_session_t
    private let credentials: TLSCredentials
    /// Whether a partially sent record has to be completed first.
    private var isSending = false

    /// The name that a client verifies, which GnuTLS does not copy.
    private let serverName: UnsafeMutablePointer<CChar>?

    /// Creates the side that the credentials are for; `serverName` is what a client asks for and verifies.
    init?(_ credentials: TLSCredentials, socket: CInt, serverName: String? = nil) {
        var session: gnutls_session_t?
        var flags = GNUTLS_NONBLOCK.rawValue | GNUTLS_NO_SIGNAL.rawValue | GNUTLS_NO_TICKETS.rawValue
        if case .client = credentials.role {
            flags |= GNUTLS_CLIENT.rawValue
        } else {
            flags |= GNUTLS_SERVER.rawValue
        }
        guard gnutls_init(&session, UInt32(flags)) == 0, let session else { return nil }
        handle = session
        self.serverName = serverName.flatMap { strdup($0) }
        self.credentials = credentials
        gnutls_priority_set(session, credentials.priorities)
        gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials.handle))
        switch credentials.role {
        case .server(let request): gnutls_certificate_server_set_request(session, request)
        case .client(let verifies): setServer(serverName ?? "", verifies)
        }
        // No timeout of GnuTLS, which would block in poll; the relay ends a handshake that takes too long.
        gnutls_handshake_set_timeout(session, 0)
        gnutls_transport_set_int2(session, socket, socket)
        setProtocol()
    }

    deinit {
        gnutls_deinit(handle)
        free(serverName)
    }

    /// Sets the server's name: numeric addresses are verified, but not sent (RFC 6066 §3).
    private func setServer(_ name: String, _ verifies: Bool) {
        if verifies { gnutls_session_set_verify_cert(handle, serverName, 0) }
        guard (try? SocketAddress(name, port: 0)) == nil, !name.isEmpty else { return }
        gnutls_server_name_set(handle, GNUTLS_NAME_DNS, name, name.utf8.count)
    }

    /// Offers only HTTP/1.1; if the client does not support it, ALPN is ignored (RFC 7301).
    private func setProtocol() {
        var name = Array("http/1.1".utf8)
        name.withUnsafeMutableBufferPointer { buffer in
            var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
            gnutls_alpn_set_protocols(handle, &datum, 1, 0)
        }
    }

    /// Advances the handshake as far as possible.
    func handshake() -> Step {
        while true {
            let code = gnutls_handshake(handle)
            if code == 0 { return verdictOnClient() }
            if code == GNUTLS_E_AGAIN { return .wants(output: wantsOutput) }
            if gnutls_error_is_fatal(code) == 0 { continue }
            let reason = reason(code)
            gnutls_alert_send_appropriate(handle, code)
            return .failed(reason)
        }
    }

    private func reason(_ code: CInt) -> String {
        if code == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR { return verificationProblem }
        // OpenSSL's alerts about the certificate are not encrypted.
        if code == GNUTLS_E_DECRYPTION_FAILED, case .server = credentials.role {
            return
                "the client sent something that is not encrypted, probably an alert because it does not trust the certificate"
        }
        guard code == GNUTLS_E_FATAL_ALERT_RECEIVED,
            let alert = gnutls_alert_get_name(gnutls_alert_get(handle))
        else { return TLSCredentials.text(code) }
        let peer = if case .client = credentials.role { "server" } else { "client" }
        return "alert from the \(peer): \(String(cString: alert))"
    }

    private var verificationProblem: String {
        let status = gnutls_session_get_verify_cert_status(handle)
        var text = gnutls_datum_t()
        guard gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &text, 0) == 0 else {
            return TLSCredentials.text(GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR)
        }
        defer { cachecheck_gnutls_free(text.data) }
        let bytes = UnsafeBufferPointer(start: text.data, count: Int(text.size))
        let sentences = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return sentences.split(separator: " ").joined(separator: " ")
    }

    /// Verifies the client's certificate, if it sent one.
    private func verdictOnClient() -> Step {
        guard case .server(let request) = credentials.role, request != GNUTLS_CERT_IGNORE,
            clientCertificate != nil
        else { return .done }
        var status: UInt32 = 0
        let code = gnutls_certificate_verify_peers2(handle, &status)
        if code == 0, status == 0 { return .done }
        gnutls_alert_send(handle, GNUTLS_AL_FATAL, Self.alert(status))
        return .failed("the client's certificate is not accepted")
    }

    private static func alert(_ status: UInt32) -> gnutls_alert_description_t {
        func has(_ flag: gnutls_certificate_status_t) -> Bool { status & UInt32(flag.rawValue) != 0 }
        if has(GNUTLS_CERT_EXPIRED) { return GNUTLS_A_CERTIFICATE_EXPIRED }
        return has(GNUTLS_CERT_SIGNER_NOT_FOUND) ? GNUTLS_A_UNKNOWN_CA : GNUTLS_A_BAD_CERTIFICATE
    }

    /// The result of the handshake.
    var facts: TLSFacts {
        var facts = TLSFacts(description: "TLS")
        if let text = gnutls_session_get_desc(handle) {
            facts.description = String(cString: text)
            cachecheck_gnutls_free(text)
        }
        facts.serverName = indicatedName
        facts.clientSubject = clientCertificate.flatMap(Self.subject)
        return facts
    }

    private var indicatedName: String? {
        var name = [UInt8](repeating: 0, count: 256)
        var count = name.count
        var kind: UInt32 = 0
        guard gnutls_server_name_get(handle, &name, &count, &kind, 0) == 0 else { return nil }
        return String(decoding: name.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
    }

    private var clientCertificate: gnutls_datum_t? {
        var count: UInt32 = 0
        guard let list = gnutls_certificate_get_peers(handle, &count), count > 0 else { return nil }
        return list.pointee
    }

    private static func subject(_ der: gnutls_datum_t) -> String? {
        var certificate: gnutls_x509_crt_t?
        guard gnutls_x509_crt_init(&certificate) == 0, let certificate else { return nil }
        defer { gnutls_x509_crt_deinit(certificate) }
        var der = der
        var text = gnutls_datum_t()
        guard gnutls_x509_crt_import(certificate, &der, GNUTLS_X509_FMT_DER) == 0,
            gnutls_x509_crt_get_dn2(certificate, &text) == 0
        else { return nil }
        defer { cachecheck_gnutls_free(text.data) }
        return String(
            decoding: UnsafeBufferPointer(start: text.data, count: Int(text.size)),
            as: UTF8.self
        )
    }

    /// Receives at most one record.
    func receive() -> Received {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.recordSize) { buffer, length in
                count = gnutls_record_recv(handle, buffer.baseAddress, buffer.count)
                length = max(0, count)
            }
            if count > 0 { return .bytes(bytes) }
            if count == 0 { return .end }
            let code = CInt(clamping: count)
            if code == GNUTLS_E_AGAIN { return .wants(output: wantsOutput) }
            if code == GNUTLS_E_PREMATURE_TERMINATION { return .end }
            // RFC 8446 §4.1.2: renegotiation is not allowed.
            if gnutls_error_is_fatal(code) != 0 || code == GNUTLS_E_REHANDSHAKE { return .failed }
        }
    }

    /// Sends at most one record.
    func send(_ bytes: ArraySlice<UInt8>) -> Sent {
        while true {
            let count =
                isSending
                ? gnutls_record_send(handle, nil, 0)
                : bytes.withUnsafeBytes { gnutls_record_send(handle, $0.baseAddress, $0.count) }
            if count >= 0 {
                isSending = false
                return .bytes(count)
            }
            let code = CInt(clamping: count)
            guard code == GNUTLS_E_AGAIN || code == GNUTLS_E_INTERRUPTED else { return .failed }
            // GnuTLS has buffered the bytes; a call without bytes continues the same record.
            isSending = true
            if code == GNUTLS_E_AGAIN { return .wants(output: wantsOutput) }
        }
    }

    /// Sends the alert that ends the connection (RFC 8446 §6.1).
    func sayEnd() -> Step {
        while true {
            let code = gnutls_bye(handle, GNUTLS_SHUT_WR)
            if code == 0 { return .done }
            if code == GNUTLS_E_AGAIN { return .wants(output: wantsOutput) }
            if code != GNUTLS_E_INTERRUPTED { return .failed(TLSCredentials.text(code)) }
        }
    }

    private var wantsOutput: Bool { gnutls_record_get_direction(handle) == 1 }

    private static let recordSize = 16 << 10
}
