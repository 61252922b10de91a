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
        let certificateBytes = try Datum.bytes("no PKCS #12") {
            gnutls_x509_crt_export2(certificate.handle, GNUTLS_X509_FMT_DER, $0)
        }
        let flags = UInt32(GNUTLS_PKCS_PLAIN.rawValue)
        let keyBytes = try Datum.bytes("no PKCS #12") {
            gnutls_x509_privkey_export2_pkcs8(key.handle, GNUTLS_X509_FMT_DER, nil, flags, $0)
        }
        return try PKCS12Writer(password: password).file(
            certificate: certificateBytes,
            key: keyBytes,
            identifier: certificate.publicKeyDigest()
        )
    }
}
