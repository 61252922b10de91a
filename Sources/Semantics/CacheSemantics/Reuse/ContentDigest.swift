public import HTTPTypes

/// What the content of a QUERY adds to its cache key (draft-ietf-httpbis-safe-method-w-body, caching).
public enum ContentDigest {
    /// Returns the digest of content and of the fields that say what it means, for `CacheEngine.key(for:content:)`.
    ///
    /// Two requests have the same only if content, Content-Type, Content-Encoding and Content-Language are the same
    /// bytes: what content means beyond its bytes is not looked into.
    public static func text(of content: some Sequence<UInt8>, _ fields: HTTPFields) -> String {
        var digest = SHA256()
        for name in [HTTPField.Name.contentType, .contentEncoding, .contentLanguage] {
            digest.add(part: fields[values: name].joined(separator: ","))
        }
        digest.add(content)
        return CacheKey.contentMark + digest.finish()
    }

    /// Stands for the content of a GET or HEAD, which no other request is taken to have.
    public static let unshared = "u:"
}
