package import Cgnutls

/// An X.509 certificate.
public final class Certificate: @unchecked Sendable {
    // Reason: the handle is set once and only read from then on, which GnuTLS allows from any thread.
    package let handle: gnutls_x509_crt_t

    /// Creates a certificate of `key`, signed by an authority or self-signed.
    public convenience init(
        _ terms: CertificateTerms,
        of key: PrivateKey,
        signedBy issuer: (certificate: Certificate, key: PrivateKey)? = nil
    ) throws(CertificateError) {
        let handle = try Self.empty()
        self.init(owning: handle)
        try CertificateWriter(handle: handle).write(terms, key)
        let signer = issuer?.certificate.handle ?? handle
        let code = gnutls_x509_crt_sign2(
            handle,
            signer,
            (issuer?.key ?? key).handle,
            GNUTLS_DIG_SHA256,
            0
        )
        try CertificateError.check("a certificate cannot be signed", code)
    }

    /// Parses the first certificate of a PEM text.
    public convenience init(pem: String) throws(CertificateError) {
        let handle = try Self.empty()
        self.init(owning: handle)
        let code = Datum.lend(Array(pem.utf8)) { gnutls_x509_crt_import(handle, $0, GNUTLS_X509_FMT_PEM) }
        try CertificateError.check("not a certificate in PEM", code)
    }

    private init(owning handle: gnutls_x509_crt_t) {
        self.handle = handle
    }

    deinit { gnutls_x509_crt_deinit(handle) }

    /// Returns the certificate in PEM.
    public func pem() throws(CertificateError) -> String {
        String(
            pem: try Datum.bytes("a certificate cannot be written") {
                gnutls_x509_crt_export2(handle, GNUTLS_X509_FMT_PEM, $0)
            }
        )
    }

    /// Returns the SHA-256 digest of the public key's information, for public key pinning (RFC 7469 §2.4); 32 bytes.
    public func publicKeyDigest() throws(CertificateError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var count = digest.count
        let flags = UInt32(GNUTLS_KEYID_USE_SHA256.rawValue)
        let code = gnutls_x509_crt_get_key_id(handle, flags, &digest, &count)
        try CertificateError.check("the public key cannot be read", code)
        return digest
    }

    /// Returns the subject as RFC 4514 writes it: `CN=name`.
    public func subject() throws(CertificateError) -> String {
        String(pem: try Datum.bytes("the subject cannot be read") { gnutls_x509_crt_get_dn2(handle, $0) })
    }

    /// The time since 1970-01-01T00:00:00Z after which it is not valid, in whole seconds.
    public var expiry: Duration { .seconds(gnutls_x509_crt_get_expiration_time(handle)) }

    private static func empty() throws(CertificateError) -> gnutls_x509_crt_t {
        var handle: gnutls_x509_crt_t?
        try CertificateError.check("a certificate cannot be created", gnutls_x509_crt_init(&handle))
        guard let handle else { throw CertificateError("a certificate cannot be created: no memory") }
        return handle
    }
}

extension CertificateAuthority {
    /// Name and version of the library for certificates and server-side TLS.
    public static var libraryVersion: String {
        gnutls_check_version(nil).map { "GnuTLS \(String(cString: $0))" } ?? "GnuTLS"
    }
}
