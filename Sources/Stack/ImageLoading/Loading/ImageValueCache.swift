import CacheClient
public import Fetching

/// An image store as a session's cache of values: requests look images up in memory, then on disk, then in the network.
public struct ImageValueCache: FetchValueCache {
    /// The two levels.
    public let store: ImageStore
    /// Whether images are stored as PNG, regardless of their format.
    public var reencodesAsPNG: Bool

    /// Creates a cache; by default the bytes that were received are stored.
    public init(_ store: ImageStore, reencodesAsPNG: Bool = false) {
        (self.store, self.reencodesAsPNG) = (store, reencodesAsPNG)
    }

    /// Returns the image stored for a URL, from memory, otherwise from disk.
    public func value(for url: String) async -> CachedFetchValue? {
        guard let found = await store.image(for: store.key(for: url)) else { return nil }
        return CachedFetchValue(.other(found.entry.image), source: found.source == .disk ? .disk : .memory)
    }

    /// Stores an image: in memory at once, on disk soon.
    ///
    /// Other values are not stored.
    public func store(_ value: FetchValue, content: [UInt8], for url: String) async {
        guard let image = value.image else { return }
        store.store(image, bytes: reencodesAsPNG ? nil : content, for: store.key(for: url))
    }
}
