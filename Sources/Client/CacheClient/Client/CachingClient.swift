public import CacheSemantics
public import CacheStorage
public import Clocks
public import HTTPTypes
import Synchronization
import Threads

/// An HTTP client with a cache, which carries out the engine's decisions.
///
/// Everything may be called from any task or thread. There is no global state; several clients may share a store, a
/// transport or both. A response that is served from memory, or a small one from disk, does not suspend the caller.
public final class CachingClient: Sendable {
    /// The configuration of a client.
    public struct Configuration: Sendable {
        /// The engine, which has the rules.
        public var engine: CacheEngine
        /// Whether a stale response is used when the origin cannot be reached or does not respond (RFC 9111 §4.2.4); a
        /// setting of the engine, default true.
        ///
        /// If not, the request fails with the error, unless `max-stale` or `stale-if-error` permits a stale response.
        public var usesStaleWhenDisconnected: Bool {
            get { engine.usesStaleWhenDisconnected }
            set { engine.usesStaleWhenDisconnected = newValue }
        }
        /// The policy of requests without their own; default `useProtocolCachePolicy`.
        public var defaultPolicy = RequestCachePolicy.useProtocolCachePolicy
        /// The time without any arrival, by the client's clock, after which a request fails with −1001; default 60 s, `nil` for
        /// no limit.
        ///
        /// With a virtual clock it passes only when that clock is advanced. For a request that waits for another's exchange,
        /// the arrivals are those of that exchange.
        public var defaultTimeout: Duration? = .seconds(60)
        /// The time from the start of a load, including redirects, after which it fails with −1001 if its content has not
        /// arrived completely; measured by the client's clock; `nil`, the default, means no limit.
        ///
        /// It ends a wait for the origin, or for another's exchange with it; what is stored is delivered even later.
        public var defaultTotalTimeout: Duration?
        /// The time to open a connection, from the resolution of the name to the end of the TLS handshake, after which a
        /// request fails with −1001; `nil`, the default, for no separate limit.
        ///
        /// libcurl measures it by the system's clock, regardless of the client's clock. Other transports may ignore it. A
        /// request that uses an open connection, or waits for one, is not subject to it.
        public var connectTimeout: Duration?
        /// Whether redirects are followed, each one through the cache; default true.
        public var followsRedirects = true
        /// The largest number of redirects of one request, default 20; one more fails with −1007.
        public var redirectLimit = 20
        /// The cache's own expiry: an older entry is removed when it is looked up; default none.
        ///
        /// The time of storing is recorded in the entry's user info; an entry without it counts as expired.
        public var expirationInterval: Duration?
        /// The largest content, default 1 GiB; more fails with −1103, and `nil` is no limit.
        ///
        /// It applies to decoded content, and to content as received if the response is fetched as a whole, which is held
        /// in memory.
        public var largestContent: ByteCount? = .gibibytes(1)
        /// Whether gzip and deflate are decoded, or the content is passed on as received; default true.
        public var decodesContent = true
        /// Whether requests that miss at the same time share one exchange, if its response is stored and answers all
        /// of them; default true.
        ///
        /// The others get the response, and its head, when the content has been stored.
        public var collapsesRequests = true
        /// Whether the percent-encoding of targets is normalized (RFC 3986 §6.2.2.1, §6.2.2.2), both in what is sent
        /// and in keys; default false, because some origins distinguish the spellings, and signed URLs depend on them.
        public var normalizesPercentEncoding = false
        /// Called before each transaction, with the redirect response that led to it; returns the request to load, or `nil`
        /// to refuse the redirect, whose response is then the result.
        public var willSend: (@Sendable (HTTPRequest, HTTPResponse?) -> HTTPRequest?)?
        /// Called with each entry that could not be written, or was lost or damaged in the cache's folder: `subject` is
        /// its URL, or a file; default none.
        ///
        /// For logs, since responses do not show the URLs of others. Called from the task that finds it, which it must not block.
        public var onStorageDamage: (@Sendable (StorageDamage) -> Void)?
        /// Called before a response is stored; returns the entry to store, or `nil` to store nothing.
        public var willCache: (@Sendable (CacheEntry) async -> CacheEntry?)?
        /// Observes each load that has no separate observer, with the `LoadID` of each; default none.
        public var observer: (any LoadObserver)?

        /// Creates a configuration with the default settings.
        ///
        /// A private cache suits a program that acts for one user; a shared one follows the rules for proxies.
        /// `observer`, by default none, observes every load that has no separate observer.
        public init(kind: CacheKind = .private, observer: (any LoadObserver)? = nil) {
            engine = CacheEngine(kind: kind)
            self.observer = observer
        }

        /// The largest content in bytes.
        var contentLimit: Int { largestContent?.bytes ?? .max }
    }

    let configuration: Configuration
    let store: (any ResponseStore)?
    /// `store` if it is not decorated, without a reference: it lives as long as this client.
    let plainStore: Unmanaged<CacheStore>?
    /// Makes the decisions in place of the engine; `nil` for the engine.
    let decisions: (any CacheDecisions)?
    package let transport: any Transport
    let clock: any TimeSource
    let flights = Flights()
    /// For contents that are ahead of slow readers, because other requests wait for them.
    let readAhead = HeldBytes()
    /// For contents that are being spooled in memory.
    let spooled = HeldBytes()
    let uncollapsible = UncollapsibleKeys()
    let background = BackgroundWork()
    let searches: NoVarySearchIndex
    /// The number of invalidations that are going to be repeated.
    let repeatedInvalidations = Atomic(0)
    /// The number of observed loads so far.
    let observedLoads = Atomic(0)
    private let access = Atomic(NetworkAccess.allowed.rawValue)

    /// Creates a client; without a store nothing is cached.
    ///
    /// The store is a `CacheStore`, or an application's own around one.
    public convenience init(
        _ configuration: Configuration = Configuration(),
        store: (any ResponseStore)?,
        transport: any Transport,
        clock: any TimeSource
    ) {
        self.init(configuration, store: store, decidedBy: nil, transport: transport, clock: clock)
    }

    /// Creates a client with decisions other than the engine's unless `decisions` is `nil`.
    package init(
        _ configuration: Configuration,
        store: (any ResponseStore)?,
        decidedBy decisions: (any CacheDecisions)?,
        transport: any Transport,
        clock: any TimeSource
    ) {
        self.configuration = configuration
        searches = NoVarySearchIndex(configuration.engine)
        self.store = store
        plainStore = decisions == nil ? (store as? CacheStore).map(Unmanaged.passUnretained) : nil
        self.decisions = decisions
        self.transport = transport
        self.clock = clock
    }

    // Promised entries hold the store to which they were promised; without this, neither would ever be released.
    deinit { keepPromises() }

    /// Whether the network may be used, and why not; default `allowed`.
    ///
    /// Unless it may, every exchange fails at once with the code of the reason; what is stored is still used.
    public var networkAccess: NetworkAccess {
        get { NetworkAccess(rawValue: access.load(ordering: .acquiring)) ?? .allowed }
        set { access.store(newValue.rawValue, ordering: .releasing) }
    }

    /// Whether the network may be used; if it is set to false, every exchange fails at once with −1009.
    public var isOnline: Bool {
        get { networkAccess == .allowed }
        set { networkAccess = newValue ? .allowed : .offline }
    }

    /// The reason why the last attempt to write to the cache's folder failed; `nil` once one has succeeded, and without a
    /// folder.
    ///
    /// While writing fails, as on a full disk, responses that do not fit into memory are not stored, and requests for them
    /// go to the origin.
    public var storageFailure: StorageError? { store?.writeFailure }

    /// Loads a request and returns the whole response.
    ///
    /// Cancelling the task ends the load with −999 and closes the connection. A response that the store has in memory,
    /// or in a row of its database, is returned without leaving the caller's actor.
    public nonisolated(nonsending) func fetch(
        _ request: ClientRequest,
        observer: (any LoadObserver)? = nil
    ) async throws(ClientError) -> ClientResponse {
        let observer = identified(observer ?? configuration.observer)
        do throws(ClientError) {
            let prepared = configuration.prepared(request)
            guard observer == nil, configuration.willSend == nil, prepared.problem == nil, !prepared.isQuery
            else {
                var load = Load(try begin(request), client: self, observer: observer)
                return try await load.run()
            }
            let engine = configuration.engine
            let hasContent = request.body?.mayHaveBytes == true
            let key =
                hasContent
                ? engine.key(for: prepared.request, hasContent: true) : prepared.key(by: engine)
            let found = look(prepared.request, key, request.policy ?? configuration.defaultPolicy)
            if !found.planned.goesForward, let response = responseFromStore(prepared, found) {
                return response
            }
            return try await fetch(try begin(request), found)
        } catch {
            observer?.observe(.fail(error))
            throw error
        }
    }

    /// Returns the first transaction of a load that starts now.
    private func begin(_ request: ClientRequest) throws(ClientError) -> Transaction {
        var transaction = try Transaction(request, configuration)
        if let total = transaction.totalTimeout { transaction.deadline = clock.elapsed + total.limited }
        return transaction
    }

    /// Loads a request without an observer; a response that arrives completely from the origin takes a fast path.
    nonisolated(nonsending) private func fetch(
        _ transaction: Transaction,
        _ lookup: PlannedLookup
    ) async throws(ClientError) -> ClientResponse {
        guard lookup.planned.goesForward, var forwarded = askAtOnce(transaction, lookup) else {
            var load = Load(transaction, client: self, firstLook: lookup)
            return try await load.run()
        }
        keepPromises()
        if !forwarded.isFinished { await forwarded.exchange.waitForHead() }
        if let response = answerUnkept(forwarded, transaction) { return response }
        if let response = answerAhead(forwarded, transaction) { return response }
        let arrived = try arrive(forwarded, transaction)
        // Other requests wait on only for what the answer will share.
        forwarded.leader = nil
        var load = Load(transaction, client: self)
        switch arrived {
        case .answer(let answer):
            if load.isLast(answer), let response = try load.deliverAtOnce(answer) { return response }
            return try await load.run(after: answer)
        case .again(let forwarded):
            return try await load.run(after: try await exchange(forwarded, transaction))
        }
    }

    /// Loads a request and returns as soon as the head has arrived; the content follows as fast as it is read.
    ///
    /// A request that shares another's exchange (`Configuration.collapsesRequests`) gets its head when the content has been
    /// stored.
    ///
    /// The content is stored when it has been read to its end. If other requests wait for it, this caller does not
    /// slow the origin down, within the limits of the store and up to 6 MiB ahead of all such callers together. Beyond
    /// these, the others send their own requests, and what this caller has read is not stored.
    public nonisolated(nonsending) func stream(
        _ request: ClientRequest,
        observer: (any LoadObserver)? = nil
    ) async throws(ClientError) -> StreamingResponse {
        let observer = identified(observer ?? configuration.observer)
        do throws(ClientError) {
            var transaction = try begin(request)
            transaction.isStreamed = true
            transaction.observer = observer
            var load = Load(transaction, client: self, observer: observer)
            return try await load.open()
        } catch {
            observer?.observe(.fail(error))
            throw error
        }
    }

    /// Loads a request and calls `completion` with the result, on the transport's executor.
    @discardableResult
    package func fetch(
        _ request: ClientRequest,
        observer: (any LoadObserver)? = nil,
        completion: @escaping @Sendable (Result<ClientResponse, ClientError>) -> Void
    ) -> ClientTask {
        let task = Task(executorPreference: transport.executor) {
            do throws(ClientError) {
                completion(.success(try await self.fetch(request, observer: observer)))
            } catch {
                completion(.failure(error))
            }
        }
        return ClientTask(task)
    }

    /// Whether no background validation runs.
    public var isIdle: Bool { background.isIdle }

    /// Waits until no background validation runs.
    public func waitForBackgroundWork() async { await background.wait() }

    /// Waits until no background validation runs, and writes everything that is stored so far to the folder of the cache,
    /// on a separate thread.
    ///
    /// Await it before the program ends, once all loads have ended. The client can still be used; what it stores after that is
    /// written soon, or lost if the program ends earlier.
    public func shutDown() async {
        await waitForBackgroundWork()
        await onOwnThread { self.flush() }
    }
}

/// A load with a completion handler.
package struct ClientTask: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    /// Ends the load with −999, unless it has ended.
    package func cancel() { task.cancel() }
}
