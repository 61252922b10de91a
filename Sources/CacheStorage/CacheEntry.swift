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

/// The content of an entry: immutable and shared.
public enum StoredBody: Sendable {
    /// All bytes in memory.
    case bytes([UInt8])
}
