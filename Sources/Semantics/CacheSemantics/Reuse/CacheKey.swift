/// The primary cache key: what a request must have in common with a stored response (RFC 9111 §2).
///
/// Only `CacheEngine.key(for:content:)` makes one: what is part of it depends on the engine.
public struct CacheKey: Sendable, Hashable {
    /// The target URI as it is sent, absolute, without fragment.
    ///
    /// Scheme and host are in lower case, a default port is left out, and an empty path is `/`. Path and query are byte
    /// for byte those of the request.
    public let targetURI: String
    /// Digests of what else is part of the key: request content, credentials, other fields; empty for most.
    public let content: String
    /// Tells it from nearly all others; the same in every process.
    package let digest: UInt64

    /// Creates the key of `targetURI`.
    package init(targetURI: String, content: String = "") {
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

extension CacheKey {
    /// Whether it is of a request to GET or HEAD with content: nothing is stored under it.
    public var isUnshared: Bool { !content.isEmpty && content.hasPrefix(ContentDigest.unshared) }

    /// The target URI in the normal form of RFC 3986 §6.2.2, which all equivalent target URIs share.
    ///
    /// Stored responses are found by `targetURI` alone; this tells which ones an unsafe request invalidates.
    public var normalizedTargetURI: String { TargetURI.normalized(targetURI) }

    /// Whether both have equivalent target URIs (RFC 3986 §6.2.2), whatever else is part of them.
    public func isEquivalent(to other: CacheKey) -> Bool {
        targetURI == other.targetURI || normalizedTargetURI == other.normalizedTargetURI
    }

    /// The key of the normalized target URI alone.
    package var normalized: CacheKey { CacheKey(targetURI: normalizedTargetURI) }
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
