public import CacheClient
public import CacheStorage
public import Clocks
public import HTTPTypes
import Locks

/// An object that sends requests with common settings: base URLs, defaults, caches, interceptors, a pool and a
/// limit of concurrent exchanges.
///
/// Its methods may be called from any task or thread. There is no global state; several sessions may coexist,
/// on one transport or several.
public final class FetchSession: Sendable {
    private struct State {
        var configuration: FetchConfiguration
        var lastID = 0
    }
    /// The requests that are running.
    public let pool = RequestPool()
    /// The application cache; `nil` if there is none.
    public let cache: ApplicationCache?
    /// The cookies; `nil` if there is none.
    public let cookies: CookieStorage?
    /// Reports whether there is a network; if `nil`, requests are always sent.
    public let reachability: (any ReachabilityProvider)?
    /// The client that sends the requests; it has the HTTP cache.
    public let client: CachingClient
    /// The source of time.
    public let clock: any TimeSource
    let limiter: ConcurrencyLimiter
    private let state: Lock<State>

    /// Creates a session; without a store there is no HTTP cache.
    ///
    /// `expirationInterval` is the HTTP cache's own expiry, as in a client's configuration. `reachability` is started.
    public init(
        _ configuration: FetchConfiguration = FetchConfiguration(),
        store: (any ResponseStore)? = nil,
        expirationInterval: Duration? = nil,
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
        limiter = ConcurrencyLimiter(limit: configuration.maximumInFlight)
        var settings = CachingClient.Configuration()
        settings.defaultTimeout = nil
        settings.expirationInterval = expirationInterval
        if let cookies { settings.willSend = { cookies.willSend($0, after: $1) } }
        client = CachingClient(settings, store: store, transport: transport, clock: clock)
        reachability?.startObserving()
    }

    /// Creates a session that uses the process-wide HTTP cache, by default the URL cache, and the process-wide
    /// application cache.
    ///
    /// - Parameters:
    ///   - configuration: The settings; the default is the default configuration.
    ///   - shared: The shared cache; it is opened now.
    /// - Throws: `TransportError` if no thread can be started.
    public convenience init(
        _ configuration: FetchConfiguration = FetchConfiguration(),
        sharing shared: SharedStore = .urlCache
    ) throws(TransportError) {
        self.init(
            configuration,
            store: shared.store,
            expirationInterval: shared.expirationInterval,
            cache: ApplicationCache.shared.value,
            transport: try CurlTransport(),
            clock: SystemClock()
        )
    }

    /// The settings; changes apply to requests that start afterwards.
    public var configuration: FetchConfiguration {
        get { state.withLock { $0.configuration } }
        set {
            state.withLock { $0.configuration = newValue }
            limiter.limit = newValue.maximumInFlight
        }
    }

    /// Changes the configuration for requests that start afterwards.
    public func configure(_ change: (inout FetchConfiguration) -> Void) {
        let limit = state.withLock { state in
            change(&state.configuration)
            return state.configuration.maximumInFlight
        }
        limiter.limit = limit
    }

    /// The number of requests that wait because the limit of concurrent exchanges is reached.
    public var waitingCount: Int { limiter.waitingCount }

    /// Sets a header field of every request that starts afterwards; replaces one of the same name.
    public func setDefaultField(_ name: HTTPField.Name, _ value: String) {
        configure { $0.defaultFields[name] = value }
    }

    // MARK: Requests

    /// Makes a request and returns its response.
    ///
    /// Cancelling the task cancels the request. Throws unless the response is accepted.
    public nonisolated(nonsending) func send(_ request: FetchRequest) async throws(FetchError)
        -> FetchResponse
    {
        try await send(request, StartOptions())
    }

    /// Starts a request and calls `completion` with its result, in the context that the configuration names.
    @discardableResult
    public func start(
        _ request: FetchRequest,
        completion: (@Sendable (Result<FetchResponse, FetchError>) -> Void)? = nil
    ) -> FetchTask {
        start(request, StartOptions(), completion)
    }

    nonisolated(nonsending) func send(
        _ request: FetchRequest,
        _ options: StartOptions
    ) async throws(FetchError) -> FetchResponse {
        let task = start(request, options, nil)
        let result = await withTaskCancellationHandler {
            await task.result()
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    func start(
        _ request: FetchRequest,
        _ options: StartOptions,
        _ completion: (@Sendable (Result<FetchResponse, FetchError>) -> Void)?
    ) -> FetchTask {
        let configuration = configuration
        let resolved = resolve(request, configuration)
        let task = FetchTask(resolved.model)
        let cancel = { @Sendable [weak task] in task?.cancel() ?? () }
        pool.add(resolved.model, state: { [weak task] in task?.state ?? .running }, cancel: cancel)
        let events = EventPublisher(configuration)
        events.publish(.created(resolved.model))
        configuration.completionGroup?.enter()
        task.begin(on: configuration.executor) { [self] in
            let load = FetchLoad(resolved, configuration, session: self, events: events, options: options)
            let result = await load.run()
            options.didLeaveQueue()
            task.end(result)
            pool.remove(resolved.model.id)
            if let completion { await configuration.callbacks.call { completion(result) } }
            events.publish(.completed(resolved.model))
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

/// Options for starting a request as part of a larger operation.
struct StartOptions: Sendable {
    /// A limiter that applies in addition to the session's.
    var limiter: ConcurrencyLimiter?
    /// Called when the request no longer waits to be sent: when it is sent, possibly more than once, and when it has ended.
    var didLeaveQueue: @Sendable () -> Void = {}
}

/// Publishes events to the monitors and the debug log.
struct EventPublisher: Sendable {
    private let monitors: [any EventMonitor]

    init(_ configuration: FetchConfiguration) {
        let log = configuration.logsDebug ? [DebugLog(configuration.debugLog)] : []
        monitors = configuration.monitors + log
    }

    func publish(_ event: FetchEvent) {
        for monitor in monitors { monitor.observe(event) }
    }
}
