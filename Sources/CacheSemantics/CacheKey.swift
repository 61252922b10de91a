/// The primary cache key: what a request must have in common with a stored response (RFC 9111 §2).
public struct CacheKey: Sendable, Hashable {
    /// The normalised target URI, absolute, without fragment.
    public let targetURI: String
    /// Digests of what else is part of the key, the request content or the caller's credentials; empty for most.
    public let content: String
    /// Tells it from nearly all others; the same in every process.
    package let digest: UInt64

    /// Creates the key of `targetURI`.
    public init(targetURI: String, content: String = "") {
        self.targetURI = targetURI
        self.content = content
        let seed = content.isEmpty ? 0 : ByteHash.sum(content, seed: 1)
        digest = ByteHash.sum(targetURI, seed: seed)
    }

    /// Adds its digest, which is computed once.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// What the text of a content digest begins with.
    static let contentMark = "q:"

    /// Whether the digest of the request content is part of the key, as for QUERY.
    public var isOfContent: Bool { !content.isEmpty && content.hasPrefix(Self.contentMark) }
}

/// Which of the stored responses of one key: the selecting header fields it was chosen by (RFC 9111 §4.1).
public struct VariantKey: Sendable, Hashable {
    /// The canonical text of names and values of the selecting header fields; empty without `Vary`.
    public let text: String

    /// Creates a variant key from its canonical text.
    public init(text: String = "") {
        self.text = text
    }
}
