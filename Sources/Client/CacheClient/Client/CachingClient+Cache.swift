public import CacheSemantics
package import CacheStorage
public import Clocks

extension CachingClient {
    /// Where a client keeps responses.
    public struct Cache: Sendable, Hashable {
        /// The folder of the disk tier; `nil` if there is none.
        let folder: String?
        let disk: ByteCount
        let memory: ByteCount
        let largestShare: Double
        /// Whether a client has a store.
        private(set) var isKept = true

        /// Nothing is kept: every request goes to the origin.
        public static var none: Cache {
            var cache = memory(capacity: .zero)
            cache.isKept = false
            return cache
        }

        /// Keeps responses in memory only, up to this number of bytes; they are removed with the client.
        ///
        /// A response that takes more than `largestShare` of the capacity is not kept; the detail of its `cacheStatus`
        /// gives this reason.
        public static func memory(
            capacity: ByteCount = .mebibytes(20),
            largestShare: Double = 0.05
        ) -> Cache {
            Cache(folder: nil, disk: .zero, memory: capacity, largestShare: largestShare)
        }

        /// Keeps responses in a folder, which is created if needed, and the latest also in memory.
        ///
        /// They are written soon after they are stored, on a thread for which the end of the process does not wait: before a
        /// program ends, it awaits `CachingClient.shutDown()`, or calls `flush()`.
        ///
        /// Several processes may share the folder. A response that takes more than `largestShare` of `capacity` is not kept; the
        /// detail of its `cacheStatus` gives this reason.
        public static func disk(
            at folder: String,
            capacity: ByteCount = .mebibytes(200),
            memory: ByteCount = .mebibytes(4),
            largestShare: Double = 0.05
        ) -> Cache {
            Cache(folder: folder, disk: capacity, memory: memory, largestShare: largestShare)
        }
    }

    /// Creates a client with its own cache, over libcurl.
    ///
    /// `configuration` has all settings but those of the store: the kind of cache, the policy and timeout of requests, an
    /// observer. A shared cache refuses a folder that a private one has filled. `trust` selects the servers that are
    /// trusted over TLS. `clock` is the machine's by default; tests pass a `VirtualClock`. Throws `StorageError` if the
    /// folder's path is empty or it cannot be opened, and `TransportError` if no thread can be started.
    public convenience init(
        _ configuration: Configuration = Configuration(),
        cache: Cache,
        trust: TrustPolicy = TrustPolicy(),
        clock: any TimeSource = SystemClock()
    ) throws {
        self.init(
            configuration,
            store: cache.isKept ? try cache.store(configuration.engine.storingRules, clock: clock) : nil,
            transport: try CurlTransport(trust: trust),
            clock: clock
        )
    }

    /// Writes everything that is stored so far to the folder of the cache before it returns; does nothing without a folder.
    ///
    /// What waits to be written when the process ends is lost, which only causes misses. Blocks the thread while it writes, which
    /// usually takes milliseconds; `shutDown()` does not.
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
            transport: old?.transport ?? defaultTransport(),
            clock: SystemClock()
        )
        client.networkAccess = old?.networkAccess ?? .allowed
        return client
    }

    /// Returns a transport by libcurl; if no thread can be started, one whose requests fail with the reason.
    package static func defaultTransport() -> any Transport {
        do throws(TransportError) {
            return try CurlTransport()
        } catch {
            return FailedTransport(error: error)
        }
    }
}

extension CachingClient.Cache {
    /// Opens the store; `storingRules` are those of the engine that uses it.
    package func store(_ storingRules: String, clock: any TimeSource) throws(StorageError) -> CacheStore {
        var configuration = CacheStore.Configuration(
            memoryCapacity: memory,
            diskCapacity: disk,
            directory: folder,
            largestShare: largestShare
        )
        configuration.storingRules = storingRules
        return try CacheStore(configuration, clock: clock)
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
