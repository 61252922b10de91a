import Cgnutls

/// A PKCS #12 file (RFC 7292) under construction.
struct PKCS12File: ~Copyable {
    private let handle: gnutls_pkcs12_t

    init() throws(CertificateError) {
        var handle: gnutls_pkcs12_t?
        try CertificateError.check(Self.failure, gnutls_pkcs12_init(&handle))
        guard let handle else { throw CertificateError(Self.failure + ": no memory") }
        self.handle = handle
    }

    deinit { gnutls_pkcs12_deinit(handle) }

    /// Adds a certificate; `identifier` is also that of its key.
    func add(_ certificate: Certificate, identifier: [UInt8]) throws(CertificateError) {
        try addBag(identifier) { gnutls_pkcs12_bag_set_crt($0, certificate.handle) }
    }

    /// Adds a key, encrypted with a password.
    func add(_ key: PrivateKey, password: String, identifier: [UInt8]) throws(CertificateError) {
        let flags = UInt32(GNUTLS_PKCS_PBES2_AES_256.rawValue)
        try addBag(identifier) { gnutls_pkcs12_bag_set_privkey($0, key.handle, password, flags) }
    }

    /// Adds a key that is not encrypted.
    func add(inClear key: PrivateKey, identifier: [UInt8]) throws(CertificateError) {
        let bytes = try key.pkcs8(GNUTLS_X509_FMT_DER)
        try addBag(identifier) { bag in
            Datum.lend(bytes) { gnutls_pkcs12_bag_set_data(bag, GNUTLS_BAG_PKCS8_KEY, $0) }
        }
    }

    /// Authenticates the content with a password and returns the file.
    func bytes(password: String) throws(CertificateError) -> [UInt8] {
        let handle = handle
        let code = gnutls_pkcs12_generate_mac2(handle, GNUTLS_MAC_SHA256, password)
        try CertificateError.check(Self.failure, code)
        return try Datum.bytes(Self.failure) { gnutls_pkcs12_export2(handle, GNUTLS_X509_FMT_DER, $0) }
    }

    /// Adds a bag with one element, whose index or error code `fill` returns.
    private func addBag(
        _ identifier: [UInt8],
        _ fill: (gnutls_pkcs12_bag_t) -> CInt
    ) throws(CertificateError) {
        var bag: gnutls_pkcs12_bag_t?
        try CertificateError.check(Self.failure, gnutls_pkcs12_bag_init(&bag))
        guard let bag else { throw CertificateError(Self.failure + ": no memory") }
        defer { gnutls_pkcs12_bag_deinit(bag) }
        let index = fill(bag)
        try CertificateError.check(Self.failure, index)
        let code = Datum.lend(identifier) { gnutls_pkcs12_bag_set_key_id(bag, UInt32(index), $0) }
        try CertificateError.check(Self.failure, code)
        try CertificateError.check(Self.failure, gnutls_pkcs12_set_bag(handle, bag))
    }

    private static let failure = "a PKCS #12 file cannot be created"
}
