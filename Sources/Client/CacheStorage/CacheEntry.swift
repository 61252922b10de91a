public import CacheSemantics

/// A stored response with its content and what belongs to it.
public struct CacheEntry: Sendable {
    /// Metadata.
    public var stored: StoredResponse
    /// Content, coded as the origin sent it.
    public var body: StoredBody
    /// What the caller keeps with the entry; empty by default.
    public var userInfo: [String: UserInfoValue]
    /// Where it may be kept.
    public var storagePolicy: StoragePolicy
    /// When it was stored, in seconds since 1970-01-01T00:00:00Z on the store's clock; set by the store.
    public internal(set) var storedAt: Double = 0

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
