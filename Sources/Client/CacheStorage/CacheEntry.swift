import Clocks
public import CacheSemantics

/// A stored response with its content, user info and storage policy.
public struct CacheEntry: Sendable {
    /// Metadata.
    public var stored: StoredResponse
    /// Content, coded as the origin sent it.
    public var body: StoredBody
    /// User info that the caller attaches to the entry; empty by default.
    public var userInfo: [String: UserInfoValue]
    /// The tiers in which it may be stored.
    public var storagePolicy: StoragePolicy
    /// The version of HTTP in which the response was received, which `Via` records (RFC 9110 §7.6.3); default HTTP/1.1.
    public var version = HTTPVersion.http11
    /// When it was stored, in seconds since 1970-01-01T00:00:00Z on the store's clock.
    var storedSeconds = 0.0
    /// Whether the caller stores it explicitly, so that the capacity is the only limit of its size.
    package var isStoredExplicitly = false

    /// When it was stored, since 1970-01-01T00:00:00Z on the store's clock; set by the store.
    public var storedAt: Duration { .saturating(seconds: storedSeconds) }

    /// Creates an entry.
    public init(
        stored: StoredResponse,
        body: StoredBody,
        userInfo: [String: UserInfoValue] = [:],
        storagePolicy: StoragePolicy = .allowed
    ) {
        self.stored = stored
        self.body = body
        self.userInfo = userInfo
        self.storagePolicy = storagePolicy
    }
}
