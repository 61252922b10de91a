import Ccurl

/// The cause of a TLS failure, by libcurl's code and text, OpenSSL's verdict on the chain, and the alert.
struct TLSFailure {
    private let code: CURLcode
    private let text: String
    private let verdict: Int
    private let trust: TrustPolicy

    init(_ code: CURLcode, _ text: String, _ verdict: Int, _ trust: TrustPolicy) {
        self.code = code
        self.text = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        self.verdict = verdict
        self.trust = trust
    }

    /// The error; `nil` if TLS is not the cause.
    var error: TransportError? {
        kind.map { TransportError($0, sentence) }
    }

    private var sentence: String { text + (text.hasSuffix(".") ? "" : ".") }

    private var kind: TransportError.Kind? {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: chainKind
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .untrustedCertificate
        case CURLE_SSL_CERTPROBLEM: .clientCertificateRejected
        case CURLE_SSL_CONNECT_ERROR: alertKind ?? .secureConnectionFailed
        case CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_CRL_BADFILE,
            CURLE_USE_SSL_FAILED, CURLE_SSL_SHUTDOWN_FAILED:
            .secureConnectionFailed
        // With TLS 1.3, the server's verdict on the client arrives after the client's handshake is complete.
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: alertKind
        default: nil
        }
    }

    /// The kind by OpenSSL's `X509_V_ERR_` numbers.
    private var chainKind: TransportError.Kind {
        switch verdict {
        case 9: .certificateNotYetValid
        case 10: .certificateExpired
        case 2, 19, 20, 21: .unknownAuthority
        default: .untrustedCertificate
        }
    }

    /// The kind by an alert from the server (RFC 8446 §6.2).
    private var alertKind: TransportError.Kind? {
        guard let alert else { return nil }
        return switch alert {
        case 116: .clientCertificateRequired
        case 42...46, 48, 49: trust.identity == nil ? .clientCertificateRequired : .clientCertificateRejected
        // The alert that TLS 1.2 sends to a client without a certificate.
        default: .secureConnectionFailed
        }
    }

    /// The number of the alert that the server has sent: OpenSSL's reasons from 1000 on are alerts.
    private var alert: Int? {
        let parts = text.split(separator: "error:", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[1].prefix(8), radix: 16) else { return nil }
        let reason = number & 0x7F_FFFF
        return (1000...1255).contains(reason) ? reason - 1000 : nil
    }
}
