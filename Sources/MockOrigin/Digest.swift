import Cgnutls

/// Digests by GnuTLS, which libmicrohttpd brings.
package enum Digest {
    /// Returns the MD5 of some bytes in lower-case hexadecimal digits.
    static func md5(_ bytes: [UInt8]) -> String { digest(GNUTLS_DIG_MD5, 16, bytes) }

    /// Returns the SHA-256 of some bytes in lower-case hexadecimal digits.
    package static func sha256(_ bytes: [UInt8]) -> String { digest(GNUTLS_DIG_SHA256, 32, bytes) }

    private static func digest(_ algorithm: gnutls_digest_algorithm_t, _ size: Int, _ bytes: [UInt8])
        -> String
    {
        var digest = [UInt8](repeating: 0, count: size)
        gnutls_hash_fast(algorithm, bytes, bytes.count, &digest)
        return digest.map { byte in
            let text = String(byte, radix: 16)
            return text.utf8.count == 1 ? "0" + text : text
        }.joined()
    }
}
