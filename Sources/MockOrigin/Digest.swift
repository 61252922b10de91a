import Cgnutls

/// Digests by GnuTLS, which libmicrohttpd brings.
enum Digest {
    /// Returns the MD5 of some bytes in lower-case hexadecimal digits.
    static func md5(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 16)
        gnutls_hash_fast(GNUTLS_DIG_MD5, bytes, bytes.count, &digest)
        return digest.map { byte in
            let text = String(byte, radix: 16)
            return text.utf8.count == 1 ? "0" + text : text
        }.joined()
    }
}
