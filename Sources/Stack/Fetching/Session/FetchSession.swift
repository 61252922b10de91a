public import CacheClient
public import CacheStorage
public import Clocks
public import HTTPTypes
import Locks

/// What makes requests: one place for base URLs, defaults, caches, interceptors, the pool and the limit of exchanges.
///
/// Everything may be called from any task or thread. There is no global state; any number of sessions may be side by
/// side, on one transport or several.
public final class FetchSession: Sendable {
    private struct State {
        var configuration: FetchConfiguration
        var lastID = 0
    }
    /// The requests that are running.
    public let pool = RequestPool()
    /// The application cache; `nil` for none.
    public let cache: ApplicationCache?
    /// The cookies; `nil` for none.
    public let cookies: CookieStorage?
    /// What knows whether there is a network; `nil` where it is always tried.
    public let reachability: (any ReachabilityProvider)?
    /// What sends the requests, with the HTTP cache.
    public let client: CachingClient
    /// Where time comes from.
    public let clock: any TimeSource
    let gate: FlightGate
    private let state: Lock<State>

    /// Creates a session; without a store there is no HTTP cache.
    public init(
        _ configuration: FetchConfiguration = FetchConfiguration(),
        store: CacheStore? = nil,
        cache: ApplicationCache? = nil,
        cookies: CookieStorage? = nil,
        reachability: (any ReachabilityProvider)? = nil,
        transport: any Transport,
        clock: any TimeSource
    ) {
        state = Lock(State(configuration: configuration))
        self.cache = cache
        self.cookies = cookies
        self.reachability = reachability
        self.clock = clock
        gate = FlightGate(limit: configuration.maximumInFlight)
        var settings = CachingClient.Configuration()
        settings.defaultTimeout = nil
        if let cookies { settings.willSend = { cookies.willSend($0, after: $1) } }
        client = CachingClient(settings, store: store, transport: transport, clock: clock)
    }

    /// How requests are made; a change counts for those that begin afterwards.
    public var configuration: FetchConfiguration {
        get { state.withLock { $0.configuration } }
        set {
            state.withLock { $0.configuration = newValue }
            gate.limit = newValue.maximumInFlight
        }
    }

    /// Changes the configuration, for the requests that begin afterwards.
    public func configure(_ change: (inout FetchConfiguration) -> Void) {
        let limit = state.withLock { state in
            change(&state.configuration)
            return state.configuration.maximumInFlight
        }
        gate.limit = limit
    }

    /// How many requests wait for their turn, because as many as may be are under way.
    public var waitingCount: Int { gate.waiting }

    /// Adds a header field to every request that begins afterwards, in place of one of the same name.
    public func setDefaultField(_ name: HTTPField.Name, _ value: String) {
        configure { $0.defaultFields[name] = value }
    }

    // MARK: Requests

    /// Makes a request and returns its response.
    ///
    /// Cancelling the task cancels the request. Throws for everything that is not an accepted response.
    public func send(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
        try await send(request, Passage())
    }

    /// Begins a request, and calls `completion` with its result, where the configuration says.
    @discardableResult
    public func start(
        _ request: FetchRequest,
        completion: (@Sendable (Result<FetchResponse, FetchError>) -> Void)? = nil
    ) -> FetchTask {
        start(request, Passage(), completion)
    }

    func send(_ request: FetchRequest, _ passage: Passage) async throws(FetchError) -> FetchResponse {
        let task = start(request, passage, nil)
        let result = await withTaskCancellationHandler {
            await task.result()
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    func start(
        _ request: FetchRequest,
        _ passage: Passage,
        _ completion: (@Sendable (Result<FetchResponse, FetchError>) -> Void)?
    ) -> FetchTask {
        let configuration = configuration
        let resolved = resolve(request, configuration)
        let task = FetchTask(resolved.model)
        let cancel = { @Sendable [weak task] in task?.cancel() ?? () }
        pool.add(resolved.model, state: { [weak task] in task?.state ?? .running }, cancel: cancel)
        let desk = EventDesk(configuration)
        desk.tell(.created(resolved.model))
        configuration.completionGroup?.enter()
        task.begin(on: configuration.executor) { [self] in
            let load = FetchLoad(resolved, configuration, session: self, desk: desk, passage: passage)
            let result = await load.run()
            passage.didStart()
            task.end(result)
            pool.remove(resolved.model.id)
            if let completion { await configuration.callbacks.call { completion(result) } }
            desk.tell(.completed(resolved.model))
            configuration.completionGroup?.leave()
            return result
        }
        return task
    }

    func nextID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }
}

/// How a request passes through a session on somebody's behalf.
struct Passage: Sendable {
    /// Another gate that it has to pass, besides the session's.
    var gate: FlightGate?
    /// Called when the request is sent, and when it is over; more than once where it is sent again.
    var didStart: @Sendable () -> Void = {}
}

/// Tells monitors, and writes the debug log.
struct EventDesk: Sendable {
    private let monitors: [any EventMonitor]

    init(_ configuration: FetchConfiguration) {
        let log = configuration.debugMode ? [DebugLog(configuration.debugLog)] : []
        monitors = configuration.monitors + log
    }

    func tell(_ event: FetchEvent) {
        for monitor in monitors { monitor.observe(event) }
    }
}
