/// A certificate with its private key, by which a server or a client authenticates.
public struct Identity: Sendable {
    /// The certificate that is presented.
    public let certificate: Certificate
    /// The private key of its public key.
    public let key: PrivateKey

    /// Creates an identity; does not check that the key belongs to the certificate.
    public init(certificate: Certificate, key: PrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    /// Returns both in one PKCS #12 file, encrypted with a password.
    ///
    /// GnuTLS derives keys with up to 600,000 iterations, which takes a fraction of a second here and when the file is read.
    public func pkcs12(password: String) throws(CertificateError) -> [UInt8] {
        try pkcs12(password: password, encryptsKey: true)
    }

    /// Returns both in one PKCS #12 file that a password authenticates, and encrypts if `encryptsKey` is true.
    ///
    /// For an archive that is not kept, a key in clear saves two thirds of the iterations.
    package func pkcs12(password: String, encryptsKey: Bool) throws(CertificateError) -> [UInt8] {
        let identifier = try certificate.publicKeyDigest()
        let file = try PKCS12File()
        try file.add(certificate, identifier: identifier)
        if encryptsKey {
            try file.add(key, password: password, identifier: identifier)
        } else {
            try file.add(inClear: key, identifier: identifier)
        }
        return try file.bytes(password: password)
    }
}
