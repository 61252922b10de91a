import Cgnutls
import TextCodings

/// Digests computed by GnuTLS, on which libmicrohttpd depends.
package enum HexDigest {
    /// Returns the MD5 of some bytes in lower-case hexadecimal digits.
    static func md5(_ bytes: [UInt8]) -> String { digest(GNUTLS_DIG_MD5, 16, bytes) }

    /// Returns the SHA-256 of some bytes in lower-case hexadecimal digits.
    package static func sha256(_ bytes: [UInt8]) -> String { digest(GNUTLS_DIG_SHA256, 32, bytes) }

    private static func digest(_ algorithm: gnutls_digest_algorithm_t, _ size: Int, _ bytes: [UInt8])
        -> String
    {
        var digest = [UInt8](repeating: 0, count: size)
        gnutls_hash_fast(algorithm, bytes, bytes.count, &digest)
        return Hexadecimal.text(of: digest)
    }

    /// Returns the MD5 of content, read in pieces; `nil` if it cannot be read completely.
    static func md5(_ content: Content) -> String? {
        var handle: gnutls_hash_hd_t?
        guard gnutls_hash_init(&handle, GNUTLS_DIG_MD5) == 0, let handle else { return nil }
        defer { gnutls_hash_deinit(handle, nil) }
        var rest = content
        while !rest.isEmpty {
            guard let piece = rest.prefix(1 << 20).bytes() else { return nil }
            _ = piece.withUnsafeBytes { gnutls_hash(handle, $0.baseAddress, $0.count) }
            rest = rest.dropFirst(piece.count)
        }
        var digest = [UInt8](repeating: 0, count: 16)
        gnutls_hash_output(handle, &digest)
        return Hexadecimal.text(of: digest)
    }
}
