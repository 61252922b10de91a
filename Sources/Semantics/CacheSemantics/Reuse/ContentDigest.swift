public import HTTPTypes

/// The digest of request content in the cache key of a QUERY (draft-ietf-httpbis-safe-method-w-body, caching).
public enum ContentDigest {
    /// Returns the digest of content and its metadata, for `CacheEngine.key(for:content:)`.
    ///
    /// Two requests have the same digest only if content, Content-Type, Content-Encoding and Content-Language are the same
    /// bytes; content is not normalised.
    public static func text(of content: some Sequence<UInt8>, _ fields: HTTPFields) -> String {
        var digest = SHA256()
        for name in [HTTPField.Name.contentType, .contentEncoding, .contentLanguage] {
            digest.add(part: fields[values: name].joined(separator: ","))
        }
        digest.add(content)
        return CacheKey.contentMark + digest.finish()
    }

    /// Replaces the digest for content of a GET or HEAD, which is never treated as equal to other content.
    public static let unshared = "u:"
    /// Replaces the digest for a request with fields that change its response, but are not part of the key.
    package static let unsharedFields = "u:f"
}
