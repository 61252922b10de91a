import Cgnutls

/// A certificate with the key that it is for: what a server or a client proves itself by.
public struct Identity: Sendable {
    /// The certificate.
    public let certificate: Certificate
    /// Its key.
    public let key: PrivateKey

    /// Creates an identity; nobody checks that the two belong together.
    public init(certificate: Certificate, key: PrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    /// Both in one file of PKCS #12, encrypted with a password.
    public func pkcs12(password: String) throws(CertificateError) -> [UInt8] {
        var file: gnutls_pkcs12_t?
        try CertificateError.check("no PKCS #12", gnutls_pkcs12_init(&file))
        guard let file else { throw CertificateError("no PKCS #12: no memory") }
        defer { gnutls_pkcs12_deinit(file) }
        let flags = UInt32(GNUTLS_PKCS_PBES2_AES_256.rawValue)
        try add(to: file) { gnutls_pkcs12_bag_set_crt($0, certificate.handle) }
        try add(to: file) { gnutls_pkcs12_bag_set_privkey($0, key.handle, password, flags) }
        try CertificateError.check("no PKCS #12", gnutls_pkcs12_generate_mac(file, password))
        return try Datum.bytes("no PKCS #12") { gnutls_pkcs12_export2(file, GNUTLS_X509_FMT_DER, $0) }
    }

    private func add(
        to file: gnutls_pkcs12_t,
        _ fill: (gnutls_pkcs12_bag_t) -> CInt
    ) throws(CertificateError) {
        var bag: gnutls_pkcs12_bag_t?
        try CertificateError.check("no PKCS #12", gnutls_pkcs12_bag_init(&bag))
        guard let bag else { throw CertificateError("no PKCS #12: no memory") }
        defer { gnutls_pkcs12_bag_deinit(bag) }
        try CertificateError.check("no PKCS #12", fill(bag))
        // The certificate and its key are known to belong together by the key's identifier.
        var identifier = try certificate.publicKeyDigest()
        let code = identifier.withUnsafeMutableBufferPointer { buffer in
            var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(clamping: buffer.count))
            return gnutls_pkcs12_bag_set_key_id(bag, 0, &datum)
        }
        try CertificateError.check("no PKCS #12", code)
        try CertificateError.check("no PKCS #12", gnutls_pkcs12_set_bag(file, bag))
    }
}
