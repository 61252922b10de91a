import Certificates
import Cgnutls

/// A server's certificate, key and client authentication as GnuTLS objects, shared by all sessions.
final class TLSCredentials: @unchecked Sendable {
    // Reason: the handles are set once and only read from then on, which GnuTLS allows from any thread.
    let handle: gnutls_certificate_credentials_t
    let priorities: gnutls_priority_t
    let request: gnutls_certificate_request_t

    init(_ settings: TLSSettings) throws(ServerError) {
        var credentials: gnutls_certificate_credentials_t?
        var priorities: gnutls_priority_t?
        gnutls_certificate_allocate_credentials(&credentials)
        gnutls_priority_init(&priorities, "NORMAL:-VERS-ALL:+VERS-TLS1.2:+VERS-TLS1.3", nil)
        guard let credentials, let priorities else { throw .tls(reason: "no memory") }
        (handle, self.priorities) = (credentials, priorities)
        var chain: [gnutls_x509_crt_t?] = [settings.identity.certificate.handle]
        chain += settings.chain.map(\.handle)
        let key = settings.identity.key.handle
        let code = gnutls_certificate_set_x509_key(credentials, &chain, CInt(chain.count), key)
        let authority: Certificate?
        (request, authority) =
            switch settings.clientCertificates {
            case .ignored: (GNUTLS_CERT_IGNORE, nil)
            case .asked(let authority): (GNUTLS_CERT_REQUEST, authority)
            case .required(let authority): (GNUTLS_CERT_REQUIRE, authority)
            }
        if let authority {
            var trusted: gnutls_x509_crt_t? = authority.handle
            gnutls_certificate_set_x509_trust(credentials, &trusted, 1)
        }
        guard code >= 0 else { throw .tls(reason: Self.text(code)) }
    }

    deinit {
        gnutls_certificate_free_credentials(handle)
        gnutls_priority_deinit(priorities)
    }

    /// The text of a GnuTLS error code.
    static func text(_ code: CInt) -> String {
        gnutls_strerror(code).map { String(cString: $0) } ?? "code \(code)"
    }
}
