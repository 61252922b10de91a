import Cgnutls

/// Writes a certificate and its key as one file (RFC 7292), the key encrypted and all of it authenticated with a
/// password.
///
/// GnuTLS writes such files too, but how often it stretches a password is the distribution's choice, up to 600,000
/// times, which whoever opens a connection with one has to repeat. What is made here is for tests.
struct PKCS12Writer {
    /// How often the password is stretched, for the key and for the whole.
    static let iterations = 2048
    private static let saltSize = 16
    let password: String

    /// Returns the file; `key` is of PKCS #8, and `identifier` says that the two belong together.
    func file(
        certificate: [UInt8],
        key: [UInt8],
        identifier: [UInt8]
    ) throws(CertificateError) -> [UInt8] {
        let attributes = DER.set(DER.sequence(Name.localKey, DER.set(DER.octets(identifier))))
        let certificateBag = DER.sequence(
            Name.certificateBag,
            DER.tagged(DER.sequence(Name.certificate, DER.tagged(DER.octets(certificate)))),
            attributes
        )
        let keyBag = DER.sequence(Name.keyBag, DER.tagged(try encrypted(key)), attributes)
        let content = DER.sequence(
            Self.data(DER.sequence(certificateBag)),
            Self.data(DER.sequence(keyBag))
        )
        return DER.sequence(DER.integer(3), Self.data(content), try authentication(of: content))
    }

    private static func data(_ content: [UInt8]) -> [UInt8] {
        DER.sequence(Name.data, DER.tagged(DER.octets(content)))
    }

    /// The key by PBES2 (RFC 8018 §6.2): AES-256 in CBC, its own key by PBKDF2.
    private func encrypted(_ key: [UInt8]) throws(CertificateError) -> [UInt8] {
        let salt = try Self.random(Self.saltSize)
        let vector = try Self.random(16)
        let function = DER.sequence(
            Name.pbkdf2,
            DER.sequence(
                DER.octets(salt),
                DER.integer(Self.iterations),
                DER.sequence(Name.hmacSHA256, DER.null)
            )
        )
        let cipher = DER.sequence(Name.aes256, DER.octets(vector))
        let scheme = DER.sequence(Name.pbes2, DER.sequence(function, cipher))
        return DER.sequence(scheme, DER.octets(try encrypt(key, stretched(salt), vector)))
    }

    private func stretched(_ salt: [UInt8]) throws(CertificateError) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        let code = Datum.lend(Array(password.utf8)) { password in
            Datum.lend(salt) { salt in
                gnutls_pbkdf2(
                    GNUTLS_MAC_SHA256,
                    password,
                    salt,
                    UInt32(Self.iterations),
                    &result,
                    result.count
                )
            }
        }
        try CertificateError.check("no PKCS #12", code)
        return result
    }

    private func encrypt(
        _ bytes: [UInt8],
        _ key: [UInt8],
        _ vector: [UInt8]
    ) throws(CertificateError) -> [UInt8] {
        var cipher: gnutls_cipher_hd_t?
        let code = Datum.lend(key) { key in
            Datum.lend(vector) { gnutls_cipher_init(&cipher, GNUTLS_CIPHER_AES_256_CBC, key, $0) }
        }
        try CertificateError.check("no PKCS #12", code)
        guard let cipher else { throw CertificateError("no PKCS #12: no memory") }
        defer { gnutls_cipher_deinit(cipher) }
        // RFC 8018 §6.1.1: filled up to whole blocks with the number of bytes that are missing, at least one.
        let missing = 16 - bytes.count % 16
        var result = bytes + [UInt8](repeating: UInt8(missing), count: missing)
        try CertificateError.check("no PKCS #12", gnutls_cipher_encrypt(cipher, &result, result.count))
        return result
    }

    /// What says that the content is as it was written by somebody who knows the password (RFC 7292 §4).
    private func authentication(of content: [UInt8]) throws(CertificateError) -> [UInt8] {
        let salt = try Self.random(Self.saltSize)
        let key = try authenticationKey(salt)
        var code = [UInt8](repeating: 0, count: 32)
        let result = gnutls_hmac_fast(GNUTLS_MAC_SHA256, key, key.count, content, content.count, &code)
        try CertificateError.check("no PKCS #12", result)
        let algorithm = DER.sequence(Name.sha256, DER.null)
        return DER.sequence(
            DER.sequence(algorithm, DER.octets(code)),
            DER.octets(salt),
            DER.integer(Self.iterations)
        )
    }

    /// The key by RFC 7292 appendix B.2, for which one round is enough: it is as long as the digest.
    private func authenticationKey(_ salt: [UInt8]) throws(CertificateError) -> [UInt8] {
        // Appendix B.1: UTF-16, the more significant byte first, with a NUL at the end.
        let units = Array(password.utf16) + [0]
        let text: [UInt8] = units.flatMap { unit in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        let purpose: UInt8 = 3
        var digest = [UInt8](repeating: purpose, count: 64) + Self.filled(salt) + Self.filled(text)
        for _ in 0..<Self.iterations { digest = try Self.sha256(digest) }
        return digest
    }

    /// Bytes, repeated until they fill blocks of 64.
    private static func filled(_ bytes: [UInt8]) -> [UInt8] {
        let count = (bytes.count + 63) / 64 * 64
        return (0..<count).map { bytes[$0 % bytes.count] }
    }

    private static func sha256(_ bytes: [UInt8]) throws(CertificateError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let code = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
        try CertificateError.check("no PKCS #12", code)
        return digest
    }

    private static func random(_ count: Int) throws(CertificateError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try CertificateError.check("no randomness", gnutls_rnd(GNUTLS_RND_RANDOM, &bytes, count))
        return bytes
    }

    /// Identifiers of RFC 7292, 8018 and 5754.
    private enum Name {
        static let data = DER.object([1, 2, 840, 113_549, 1, 7, 1])
        static let keyBag = DER.object([1, 2, 840, 113_549, 1, 12, 10, 1, 2])
        static let certificateBag = DER.object([1, 2, 840, 113_549, 1, 12, 10, 1, 3])
        static let certificate = DER.object([1, 2, 840, 113_549, 1, 9, 22, 1])
        static let localKey = DER.object([1, 2, 840, 113_549, 1, 9, 21])
        static let pbes2 = DER.object([1, 2, 840, 113_549, 1, 5, 13])
        static let pbkdf2 = DER.object([1, 2, 840, 113_549, 1, 5, 12])
        static let hmacSHA256 = DER.object([1, 2, 840, 113_549, 2, 9])
        static let aes256 = DER.object([2, 16, 840, 1, 101, 3, 4, 1, 42])
        static let sha256 = DER.object([2, 16, 840, 1, 101, 3, 4, 2, 1])
    }
}
