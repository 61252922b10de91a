import Clocks
import HTTPServing
import Locks
public import OriginScript

/// The origin of one scenario, with its own script, clock and record.
public final class OriginNamespace: Sendable {
    struct State {
        var script: Script
        /// The bytes on the connections; `nil` unless they are kept.
        var wire: WireLog?
        var record = NamespaceRecord()
        /// Exchanges in progress by their number; greetings of connections have negative numbers.
        var live: [Int: RawExchange] = [:]
        /// Requests whose reading is paused.
        var pauses: [UInt64: ReadingPause] = [:]
        var directInFlight = 0
        var directParked = 0
        var onActivity: (@Sendable () -> Void)?
        var isClosed = false
    }
    /// The absolute path prefix of every request to this namespace: `/-/` and its token; the value of `${base}`.
    public let base: String
    let clock: any TimeSource
    /// A test of the public suite, which answers instead of routes; `nil` for none.
    let suite: SuiteScript?
    let other: @Sendable () -> String
    let startedAt: HTTPMoment
    let index: RouteIndex
    let contents: ContentStore
    let state: Lock<State>
    /// Faults and the network.
    let injector: FaultInjector
    /// Whether connections may be affected before their first request.
    let harmsConnections: Bool
    /// Whether the reading of requests may be affected.
    let pacesRequests: Bool
    /// Whether random decisions depend on the names of requests.
    let drawsByName: Bool
    private let startedElapsed: Duration
    private let refuse: @Sendable (Bool) -> Void
    private let onClose: @Sendable (OriginNamespace) -> Void

    init(
        token: String,
        routes: [Route],
        clock: any TimeSource,
        startedAt wallSeconds: Double,
        faults: FaultPlan,
        network: NetworkSchedule?,
        contents: ContentStore,
        other: @escaping @Sendable () -> String,
        refuse: @escaping @Sendable (Bool) -> Void,
        onClose: @escaping @Sendable (OriginNamespace) -> Void
    ) {
        base = "/-/" + token
        suite = nil
        self.clock = clock
        self.other = other
        startedAt = HTTPMoment(wallSeconds: wallSeconds)
        startedElapsed = clock.elapsed
        self.contents = contents
        self.refuse = refuse
        self.onClose = onClose
        injector = FaultInjector(faults, network, clock: clock)
        harmsConnections = injector.harmsConnections
        pacesRequests = injector.harmsReading
        drawsByName =
            !faults.faults.isEmpty || network != nil
            || routes.contains { $0.answers.contains { !$0.faults.isEmpty } }
        let script = Script(routes)
        index = script.index
        state = Lock(State(script: script))
        injector.start(refuse: refuse)
    }

    /// Creates a namespace that answers by a test of the public suite.
    init(
        suite: SuiteScript,
        base: String,
        clock: any TimeSource,
        contents: ContentStore,
        onClose: @escaping @Sendable (OriginNamespace) -> Void
    ) {
        self.base = base
        self.suite = suite
        self.clock = clock
        self.contents = contents
        self.onClose = onClose
        other = { "" }
        startedAt = HTTPMoment(wallSeconds: clock.wallSeconds)
        startedElapsed = clock.elapsed
        refuse = { _ in }
        injector = FaultInjector(FaultPlan(), clock: clock)
        (harmsConnections, pacesRequests, drawsByName) = (false, false, false)
        let script = Script([])
        index = script.index
        state = Lock(State(script: script))
    }

    /// The time since the script started.
    var elapsed: Duration { clock.elapsed - startedElapsed }

    // MARK: Record

    /// Returns all exchanges in order of arrival; checks for clients that have disconnected.
    public func record() -> [RecordedExchange] {
        for exchange in state.withLock({ Array($0.live.values) }) { exchange.noticeHangUp() }
        return state.withLock { state in
            // Another thread may have detected a disconnect without having reported it yet.
            for (number, exchange) in state.live where number > 0 && exchange.isAbandoned {
                state.record.ended(number, .aborted, bytesSent: exchange.bytesSent)
            }
            return state.record.exchanges
        }
    }

    /// Starts to keep the bytes on the connections.
    public func keepWire() {
        state.withLock { $0.wire = $0.wire ?? WireLog() }
    }

    /// The bytes on the connections since `keepWire()`, by exchange, ordered by the requests' labels.
    ///
    /// While `isAtRest` is true, it is the same in every run of the same script.
    public var wireLog: String {
        state.withLock { $0.wire }?.text ?? ""
    }

    /// The random decisions so far, in order.
    public var decisions: [FaultDecision] { injector.faults.decisions }

    /// Whether a fault of the plan currently refuses connections.
    public var isRefusing: Bool { injector.isRefusing }

    /// How long reading the content of the last request took; `nil` before the first, and without a network.
    public var lastUpload: Duration? { injector.link?.lastUpload }

    // MARK: Changes

    /// Changes the network; no effect unless the namespace was opened with one.
    public func use(network: NetworkSchedule) {
        if injector.network != nil { injector.use(network: network) }
    }

    /// Releases the held responses of one route or, with `nil`, of all.
    public func release(label: String?) {
        injector.release(label: label)
    }

    /// Makes a route give the answer with this number, from 1, from now on.
    public func use(answer: Int, label: String) {
        state.withLock { $0.script.pin(answer: answer, label: label) }
    }

    /// Makes the whole server refuse connections and close open ones, or accept connections again.
    public func refuseConnections(_ on: Bool) {
        refuse(on)
    }

    /// Stops all exchanges and answers 404 from now on; may be repeated.
    public func close() {
        let (live, pauses) = state.withLock { state in
            state.isClosed = true
            return (Array(state.live.values), Array(state.pauses.values))
        }
        for pause in pauses { pause.resume() }
        for exchange in live { exchange.stop() }
        // After the exchanges, so that released responses have none to continue.
        injector.stop()
        onClose(self)
    }
}
