/// The primary cache key, which a request must share with a stored response (RFC 9111 §2).
///
/// Created by `CacheEngine.key(for:content:)`, because the configuration of the engine decides what is part of it.
public struct CacheKey: Sendable, Hashable {
    /// The target URI as it is sent, absolute, without fragment.
    ///
    /// Scheme and host are in lower case, an IPv4 address is in dotted decimal, a default port is left out, and an empty path is
    /// `/`. Path and query are byte for byte those of the request.
    public let targetURI: String
    /// Digests of other parts of the key: request content, credentials, other fields; usually empty.
    public let content: String
    /// A 64-bit hash, the same in every process.
    package let digest: UInt64

    /// Creates the key of `targetURI`.
    package init(targetURI: String, content: String = "") {
        self.targetURI = targetURI
        self.content = content
        let seed = content.isEmpty ? 0 : ByteHash.sum(content, seed: 1)
        digest = ByteHash.sum(targetURI, seed: seed)
    }

    /// Hashes the digest, which is computed once.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// The prefix of a content digest.
    static let contentMark = "q:"

    /// Whether the digest of the request content is part of the key, as with QUERY.
    public var isOfContent: Bool { !content.isEmpty && content.hasPrefix(Self.contentMark) }
}

extension CacheKey {
    /// Whether it is of a request whose response is for no other, such as a GET or HEAD with content; no response is stored
    /// under such a key.
    public var isUncacheable: Bool { !content.isEmpty && content.hasPrefix(ContentDigest.uncacheable) }

    /// Whether it is of a request with fields that are not part of the key.
    var isOfUnkeyedFields: Bool { content == ContentDigest.uncacheableFields }

    /// The target URI in the normal form of RFC 3986 §6.2.2, which all equivalent target URIs share.
    ///
    /// Stored responses are found by `targetURI`; this decides which of them an unsafe request invalidates.
    public var normalizedTargetURI: String { TargetURI.normalized(targetURI) }

    /// Whether both have equivalent target URIs (RFC 3986 §6.2.2), ignoring the other parts.
    public func isEquivalent(to other: CacheKey) -> Bool {
        targetURI == other.targetURI || normalizedTargetURI == other.normalizedTargetURI
    }

    /// The key of the normalized target URI alone.
    package var normalized: CacheKey { CacheKey(targetURI: normalizedTargetURI) }
}

/// The secondary key of a stored response: the values of its selecting header fields (RFC 9111 §4.1).
public struct VariantKey: Sendable, Hashable {
    /// The canonical text of names and values of the selecting header fields; empty without `Vary`.
    public let text: String

    /// Creates a variant key from its canonical text.
    public init(text: String = "") {
        self.text = text
    }
}
