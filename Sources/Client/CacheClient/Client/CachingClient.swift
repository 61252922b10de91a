public import CacheSemantics
public import CacheStorage
public import Clocks
public import HTTPTypes
import Synchronization

/// An HTTP client with a cache: carries out what the engine decides.
///
/// Everything may be called from any task or thread. There is no global state; several clients may share a store, a
/// transport or both. A response that is served from memory, or a small one from disk, does not suspend the caller.
public final class CachingClient: Sendable {
    /// How a client behaves.
    public struct Configuration: Sendable {
        /// The rules.
        public var engine = CacheEngine()
        /// The policy of requests that name none; default `useProtocolCachePolicy`.
        public var defaultPolicy = RequestCachePolicy.useProtocolCachePolicy
        /// How long nothing may arrive before a request fails with −1001; default 60 s, `nil` for ever.
        public var defaultTimeout: Duration? = .seconds(60)
        /// Whether redirects are followed, each hop through the cache; default true.
        public var followsRedirects = true
        /// Redirects of one request at most, default 20; one more is −1007.
        public var redirectLimit = 20
        /// An expiry of the cache's own: an older entry is removed when it is looked up; default none.
        ///
        /// The moment of storing is kept in the entry's user info; an entry without it counts as expired.
        public var expirationInterval: Duration?
        /// The largest decoded content in bytes, default 1 GiB; more is −1103.
        public var largestDecodedBody = 1 << 30
        /// Whether gzip and deflate are taken off the content, or it is handed on as it came; default true.
        public var decodesContent = true
        /// Whether requests that miss at the same time share one exchange, where what it brings is stored and answers all
        /// of them; default true.
        public var sharesExchanges = true
        /// Whether the percent-encoding of targets is normalized (RFC 3986 §6.2.2.1, §6.2.2.2), in what is sent and in keys
        /// alike; default false, because some origins distinguish the spellings, and signed URLs depend on them.
        public var normalizesPercentEncoding = false
        /// Called before each hop, with the redirect response that led to it; returns the request to load, or `nil`
        /// to refuse the redirect, whose response is then the result.
        public var willSend: (@Sendable (HTTPRequest, HTTPResponse?) -> HTTPRequest?)?
        /// Called before a response is stored; returns the entry to store, or `nil` for none.
        public var willCache: (@Sendable (CacheEntry) async -> CacheEntry?)?

        /// Creates the default configuration.
        public init() {}
    }

    let configuration: Configuration
    let store: (any ResponseStore)?
    /// `store` where nothing stands around it, without a reference: it lives as long as this client.
    let plainStore: Unmanaged<CacheStore>?
    /// What decides in place of the engine; `nil` for the engine.
    let decisions: (any CacheDecisions)?
    let transport: any Transport
    let clock: any TimeSource
    let flights = Flights()
    /// Of contents that are ahead of slow readers, because others wait for them.
    let readAhead = HeldBytes()
    /// Of contents that are on their way into memory.
    let spooled = HeldBytes()
    let solo = UncollapsibleKeys()
    let background = BackgroundWork()
    let searches = SearchIndex()
    private let online = Atomic(true)

    /// Creates a client; without a store nothing is cached.
    public init(
        _ configuration: Configuration = Configuration(),
        store: CacheStore?,
        transport: any Transport,
        clock: any TimeSource
    ) {
        self.configuration = configuration
        self.store = store
        plainStore = store.map(Unmanaged.passUnretained)
        decisions = nil
        self.transport = transport
        self.clock = clock
    }

    /// Creates a client whose responses are kept, and whose decisions are made, by what stands around store and engine.
    package init(
        _ configuration: Configuration,
        keptIn store: any ResponseStore,
        decidedBy decisions: (any CacheDecisions)?,
        transport: any Transport,
        clock: any TimeSource
    ) {
        self.configuration = configuration
        self.store = store
        plainStore = nil
        self.decisions = decisions
        self.transport = transport
        self.clock = clock
    }

    // What is promised holds the store that it is promised to, and would keep both for ever.
    deinit { keepPromises() }

    /// Whether the network may be used; where not, every exchange fails at once with −1009.
    public var isOnline: Bool {
        get { online.load(ordering: .acquiring) }
        set { online.store(newValue, ordering: .releasing) }
    }

    /// Loads a request and returns the whole response.
    ///
    /// Cancelling the task ends the load with −999 and closes the connection. What the store has in memory,
    /// or in a row of its database, is answered without leaving the caller's actor.
    public nonisolated(nonsending) func fetch(
        _ request: ClientRequest,
        observer: (any LoadObserver)? = nil
    ) async throws(ClientError) -> ClientResponse {
        do throws(ClientError) {
            let prepared = configuration.prepared(request)
            guard observer == nil, configuration.willSend == nil, prepared.problem == nil, !prepared.isQuery
            else {
                var load = Load(try Hop(request, configuration), client: self, observer: observer)
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
            return try await fetch(try Hop(request, configuration), found)
        } catch {
            observer?.observe(.fail(error))
            throw error
        }
    }

    /// Loads what nobody watches: where all comes from the origin at once, there is nothing else to wait for.
    nonisolated(nonsending) private func fetch(
        _ hop: Hop,
        _ looked: PlannedLookup
    ) async throws(ClientError) -> ClientResponse {
        guard looked.planned.goesForward, var round = askAtOnce(hop, looked) else {
            var load = Load(hop, client: self, firstLook: looked)
            return try await load.run()
        }
        keepPromises()
        if !round.isOver { await round.exchange.waitForHead() }
        if let response = answerUnkept(round, hop) { return response }
        if let response = answerAhead(round, hop) { return response }
        let arrived = try arrive(round, hop)
        // Others wait on only for what the answer is going to share.
        round.departure = nil
        var load = Load(hop, client: self)
        switch arrived {
        case .answer(let answer):
            if load.isLast(answer), let response = try load.deliverAtOnce(answer) { return response }
            return try await load.run(after: answer)
        case .again(let round): return try await load.run(after: try await exchange(round, hop))
        }
    }

    /// Loads a request and returns as soon as the head is there; the content follows as fast as it is read.
    ///
    /// The content is stored when it has been read to its end. Where others wait for it, the origin is not held back for
    /// this caller's sake: as much as the store takes, up to 6 MiB ahead of all such callers together. Then the others
    /// ask for themselves, and what this caller has taken is not stored.
    public func stream(
        _ request: ClientRequest,
        observer: (any LoadObserver)? = nil
    ) async throws(ClientError) -> StreamingResponse {
        do throws(ClientError) {
            var hop = try Hop(request, configuration)
            hop.isStreamed = true
            hop.observer = observer
            var load = Load(hop, client: self, observer: observer)
            return try await load.open()
        } catch {
            observer?.observe(.fail(error))
            throw error
        }
    }

    /// Loads a request and calls `completion` with the result, on the transport's executor.
    @discardableResult
    public func fetch(
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
}

/// A load in callback form.
public struct ClientTask: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    /// Ends the load with −999, unless it has ended.
    public func cancel() { task.cancel() }
}
