import Certificates
import Cgnutls
import FileReading

/// One side's identity and trusted authorities, as GnuTLS objects; shared by all its sessions.
package final class TLSCredentials: @unchecked Sendable {
    // Reason: the handles are set once and only read from then on, which GnuTLS allows from any thread.
    enum Role {
        case server(gnutls_certificate_request_t)
        case client(verifies: Bool)
    }
    let handle: gnutls_certificate_credentials_t
    let priorities: gnutls_priority_t
    let role: Role

    /// Creates the credentials of a server.
    package convenience init(_ settings: TLSSettings) throws(ServerError) {
        let request =
            switch settings.clientCertificates {
            case .ignored: GNUTLS_CERT_IGNORE
            case .asked: GNUTLS_CERT_REQUEST
            case .required: GNUTLS_CERT_REQUIRE
            }
        try self.init(role: .server(request))
        switch settings.clientCertificates {
        case .ignored: break
        case .asked(let authority), .required(let authority):
            var trusted: gnutls_x509_crt_t? = authority.handle
            gnutls_certificate_set_x509_trust(handle, &trusted, 1)
        }
        var chain: [gnutls_x509_crt_t?] = [settings.identity.certificate.handle]
        chain += settings.chain.map(\.handle)
        let key = settings.identity.key.handle
        let code = gnutls_certificate_set_x509_key(handle, &chain, CInt(chain.count), key)
        guard code >= 0 else { throw .tls(reason: Self.text(code)) }
    }

    /// Creates the credentials of a client; throws where no authority can be read.
    package convenience init(_ trust: TLSTrust) throws(ServerError) {
        try self.init(role: .client(verifies: trust.verifies))
        guard trust.verifies else { return }
        switch trust.authorities {
        case .system:
            let count = gnutls_certificate_set_x509_system_trust(handle)
            guard count > 0 else { throw .tls(reason: "found no certificates of authorities of the system") }
        case .file(let path): try trustAuthorities(in: path)
        }
    }

    private func trustAuthorities(in path: String) throws(ServerError) {
        // Not read by GnuTLS, which reads a file without end for ever.
        let bytes: [UInt8]
        switch FileAccess.content(ofFile: path) {
        case .success(let content): bytes = content
        case .failure(let failure): throw .tls(reason: "\(path): cannot be read: \(failure.reason)")
        }
        let count = Datum.lend(bytes) {
            gnutls_certificate_set_x509_trust_mem(handle, $0, GNUTLS_X509_FMT_PEM)
        }
        guard count > 0 else {
            let problem = "found no certificate in PEM, expected those of authorities"
            throw .tls(reason: "\(path): \(problem)")
        }
    }

    private init(role: Role) throws(ServerError) {
        var credentials: gnutls_certificate_credentials_t?
        var priorities: gnutls_priority_t?
        gnutls_certificate_allocate_credentials(&credentials)
        gnutls_priority_init(&priorities, "NORMAL:-VERS-ALL:+VERS-TLS1.2:+VERS-TLS1.3", nil)
        guard let credentials, let priorities else { throw .tls(reason: "no memory") }
        (handle, self.priorities, self.role) = (credentials, priorities, role)
    }

    deinit {
        gnutls_certificate_free_credentials(handle)
        gnutls_priority_deinit(priorities)
    }

    /// Returns the text of a GnuTLS error code.
    static func text(_ code: CInt) -> String {
        gnutls_strerror(code).map { String(cString: $0) } ?? "code \(code)"
    }
}
