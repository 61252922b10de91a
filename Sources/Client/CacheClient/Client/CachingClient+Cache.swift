public import CacheSemantics
import CacheStorage
public import Clocks

extension CachingClient {
    /// Where a client keeps responses.
    public struct Cache: Sendable, Hashable {
        /// The folder of the disk tier; `nil` for none.
        let folder: String?
        let disk: ByteCount
        let memory: ByteCount

        /// Responses are kept in memory only, up to this number of bytes; they are removed with the client.
        ///
        /// A response that takes more than 5 % of the capacity is not kept.
        public static func memory(capacity: ByteCount = .mebibytes(20)) -> Cache {
            Cache(folder: nil, disk: .bytes(0), memory: capacity)
        }

        /// Responses are kept in a folder, which is created if needed, and the latest also in memory.
        ///
        /// They are written soon after they are stored. A program whose client is global, or that ends by `exit`, calls
        /// `CachingClient.flush()` first; a client that is released has written everything.
        ///
        /// Several processes may share the folder. A response that takes more than 5 % of `capacity` is not kept; the detail of
        /// its `cacheStatus` says so. Another share needs a store of its own, with `CacheStore.Configuration.largestShare`.
        public static func disk(
            at folder: String,
            capacity: ByteCount = .mebibytes(200),
            memory: ByteCount = .mebibytes(4)
        ) -> Cache {
            Cache(folder: folder, disk: capacity, memory: memory)
        }
    }

    /// Creates a client with a cache of its own, over libcurl.
    ///
    /// A private cache suits a program that acts for one user; a shared one follows the rules for proxies, and refuses a
    /// folder that a private one has filled. `trust` says which servers are trusted over TLS. `observer`, by
    /// default none, observes every load. `clock` is the machine's by default; tests pass a `VirtualClock`. Throws
    /// `StorageError` if the folder's path is empty or it cannot be opened, and `TransportError` if no thread can be started.
    public convenience init(
        cache: Cache,
        kind: CacheKind = .private,
        trust: TrustPolicy = TrustPolicy(),
        observer: (any LoadObserver)? = nil,
        clock: any TimeSource = SystemClock()
    ) throws {
        var configuration = Configuration()
        configuration.engine = CacheEngine(kind: kind)
        configuration.observer = observer
        var storage = CacheStore.Configuration(cache)
        storage.storingRules = configuration.engine.storingRules
        self.init(
            configuration,
            store: try CacheStore(storage, clock: clock),
            transport: try CurlTransport(trust: trust),
            clock: clock
        )
    }

    /// Writes everything that is stored so far to the folder of the cache before it returns; does nothing without a folder.
    ///
    /// What waits to be written when the process ends is lost, which only causes misses. Blocks the thread while it writes, which
    /// usually takes milliseconds.
    public func flush() { store?.flush() }

    private static let sharedClient = SharedClient(over: .urlCache)

    /// A client for programs that need only one; created when it is first used, and replaceable at any time.
    ///
    /// Until it is replaced it has a private cache, that of `SharedStore.urlCache`. After another store is set there, this is
    /// another client over that store, with the same connections and the same `networkAccess`. Loads, and references that
    /// were taken before, continue with the store with which they started: content that one store has spooled is never
    /// stored in another. If no thread can be started, every request that needs the network fails with the reason.
    public static var shared: CachingClient {
        get { sharedClient.client }
        set { sharedClient.client = newValue }
    }

    /// Creates a client over a shared store; one that takes another's place has its connections and its `networkAccess`.
    static func make(over shared: SharedStore, replacing old: CachingClient? = nil) -> CachingClient {
        var configuration = Configuration()
        configuration.expirationInterval = shared.expirationInterval
        let client = CachingClient(
            configuration,
            store: shared.store,
            transport: old?.transport ?? usualTransport(),
            clock: SystemClock()
        )
        client.networkAccess = old?.networkAccess ?? .allowed
        return client
    }

    /// Returns a transport by libcurl; if no thread can be started, one whose requests fail with the reason.
    package static func usualTransport() -> any Transport {
        do throws(TransportError) {
            return try CurlTransport()
        } catch {
            return FailedTransport(error: error)
        }
    }
}

extension CacheStore.Configuration {
    fileprivate init(_ cache: CachingClient.Cache) {
        self.init(
            memoryCapacity: cache.memory,
            diskCapacity: cache.disk,
            directory: cache.folder
        )
    }
}

/// A transport that could not be created: every exchange fails for that reason.
private struct FailedTransport: Transport {
    let error: TransportError

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        receiver.receive(end: .failure(error))
        return EndedExchange()
    }
}
