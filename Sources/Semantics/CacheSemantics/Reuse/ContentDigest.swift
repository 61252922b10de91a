public import HTTPTypes

/// The digest of request content in the cache key of a QUERY (RFC 10008 §2.7).
public enum ContentDigest {
    private static let metadata: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLocation,
    ]

    /// Returns the digest of content and its metadata, for `CacheEngine.key(for:content:)`.
    ///
    /// Two requests have the same digest only if content, Content-Type, Content-Encoding, Content-Language and
    /// Content-Location (RFC 9110 §8) are the same bytes; content is not normalised.
    public static func text(of content: some Sequence<UInt8>, _ fields: HTTPFields) -> String {
        var digest = SHA256()
        for name in metadata {
            // With the number of lines, so that an absent field differs from an empty one.
            let lines = fields[fields: name]
            digest.add(part: String(lines.count))
            for line in lines { digest.add(part: line.withUnsafeBytesOfValue { ASCII.exactText($0) }) }
        }
        digest.add(content)
        return CacheKey.contentMark + digest.finish()
    }

    /// Replaces the digest for content of a GET or HEAD, which is never treated as equal to other content.
    public static let uncacheable = "u:"
    /// Replaces the digest for a request with fields that change its response, but are not part of the key.
    package static let uncacheableFields = "u:f"
}
