package import Cgnutls

/// A private key on the curve P-256.
public final class PrivateKey: @unchecked Sendable {
    // Reason: the handle is set once and only read from then on, which GnuTLS allows from any thread.
    package let handle: gnutls_x509_privkey_t

    /// Creates a new key.
    public init() throws(CertificateError) {
        handle = try Self.empty()
        // P-256, encoded as GnuTLS encodes a curve in a number of bits: with the highest bit set.
        let curve = UInt32(1) << 31 | UInt32(GNUTLS_ECC_CURVE_SECP256R1.rawValue)
        let code = gnutls_x509_privkey_generate(handle, GNUTLS_PK_ECDSA, curve, 0)
        // `deinit` frees the handle, because every property has a value when this throws.
        try CertificateError.check("a key cannot be created", code)
    }

    /// Parses an unencrypted PEM key, in PKCS #8 or the traditional form.
    public init(pem: String) throws(CertificateError) {
        handle = try Self.empty()
        let handle = handle
        let code = Datum.lend(Array(pem.utf8)) {
            gnutls_x509_privkey_import2(handle, $0, GNUTLS_X509_FMT_PEM, nil, 0)
        }
        try CertificateError.check("not a private key in PEM", code)
    }

    deinit { gnutls_x509_privkey_deinit(handle) }

    /// Returns the key as unencrypted PKCS #8 in PEM.
    public func pem() throws(CertificateError) -> String { String(pem: try pkcs8(GNUTLS_X509_FMT_PEM)) }

    /// Returns the key as unencrypted PKCS #8.
    func pkcs8(_ form: gnutls_x509_crt_fmt_t) throws(CertificateError) -> [UInt8] {
        let flags = UInt32(GNUTLS_PKCS_PLAIN.rawValue)
        return try Datum.bytes("a key cannot be written") {
            gnutls_x509_privkey_export2_pkcs8(handle, form, nil, flags, $0)
        }
    }

    private static func empty() throws(CertificateError) -> gnutls_x509_privkey_t {
        var handle: gnutls_x509_privkey_t?
        try CertificateError.check("a key cannot be created", gnutls_x509_privkey_init(&handle))
        guard let handle else { throw CertificateError("a key cannot be created: no memory") }
        return handle
    }
}
