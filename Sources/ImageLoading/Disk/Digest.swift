import Cgnutls

/// Digests by GnuTLS, in lower-case hexadecimal digits.
enum Digest {
    static func md5(_ text: String) -> String { digest(GNUTLS_DIG_MD5, 16, text) }

    static func sha1(_ text: String) -> String { digest(GNUTLS_DIG_SHA1, 20, text) }

    static func sha256(_ text: String) -> String { digest(GNUTLS_DIG_SHA256, 32, text) }

    private static func digest(_ algorithm: gnutls_digest_algorithm_t, _ size: Int, _ text: String) -> String
    {
        var digest = [UInt8](repeating: 0, count: size)
        let bytes = Array(text.utf8)
        gnutls_hash_fast(algorithm, bytes, bytes.count, &digest)
        let digits = Array("0123456789abcdef".utf8)
        let hex = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: hex, as: UTF8.self)
    }
}
