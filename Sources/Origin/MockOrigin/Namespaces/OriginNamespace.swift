import Clocks
import HTTPServing
import Locks
public import OriginScript

/// The origin of one scenario, with a script, a clock and a record of its own.
public final class OriginNamespace: Sendable {
    struct State {
        var script: Script
        /// The bytes on the connections; `nil` unless they are kept.
        var wire: WireLog?
        var record = NamespaceRecord()
        /// Exchanges under way by their number; greetings of connections have negative ones.
        var live: [Int: RawExchange] = [:]
        /// Requests whose reading waits.
        var pauses: [UInt64: ReadingPause] = [:]
        var directInFlight = 0
        var directParked = 0
        var onActivity: (@Sendable () -> Void)?
        var isClosed = false
    }
    /// The absolute path prefix of every request to this namespace, `/-/` and its token; what `${base}` stands for.
    public let base: String
    let clock: any TimeSource
    /// A test of the public suite, which answers in place of routes; `nil` for none.
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

    /// Creates a namespace whose answers are those of a test of the public suite.
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

    /// Time since the script began.
    var elapsed: Duration { clock.elapsed - startedElapsed }

    // MARK: Record

    /// Returns every exchange in order of arrival; clients that went away by now are noticed.
    public func record() -> [RecordedExchange] {
        for exchange in state.withLock({ Array($0.live.values) }) { exchange.noticeHangUp() }
        return state.withLock { state in
            // Another thread may have noticed one and not yet reported it.
            for (number, exchange) in state.live where number > 0 && exchange.isAbandoned {
                state.record.ended(number, .aborted, bytesSent: exchange.bytesSent)
            }
            return state.record.exchanges
        }
    }

    /// Keeps the bytes on the connections from now on.
    public func keepWire() {
        state.withLock { $0.wire = $0.wire ?? WireLog() }
    }

    /// The bytes on the connections since `keepWire()`, by exchange, ordered by the requests' labels.
    ///
    /// While `isAtRest`, it is the same in every run of the same script.
    public var wireLog: String {
        state.withLock { $0.wire }?.text ?? ""
    }

    /// The random decisions so far, in order.
    public var decisions: [FaultDecision] { injector.faults.decisions }

    /// Whether connections are refused at this moment, by a fault of the plan.
    public var isRefusing: Bool { injector.isRefusing }

    /// How long the content of the last request took to be read; `nil` before the first, and without a network.
    public var lastUpload: Duration? { injector.link?.lastUpload }

    // MARK: Changes

    /// Changes the network; only where one was given when the namespace was opened.
    public func use(network: NetworkSchedule) {
        if injector.network != nil { injector.use(network: network) }
    }

    /// Releases the held responses of one route or, with `nil`, of all.
    public func release(label: String?) {
        injector.release(label: label)
    }

    /// Makes a route give its `answer`-th answer, from 1, from now on.
    public func use(answer: Int, label: String) {
        state.withLock { $0.script.pin(answer: answer, label: label) }
    }

    /// Has the whole server refuse connections and cut those that are open, or accept them again.
    public func refuseConnections(_ on: Bool) {
        refuse(on)
    }

    /// Stops every exchange and answers 404 from now on; may be repeated.
    public func close() {
        let (live, pauses) = state.withLock { state in
            state.isClosed = true
            return (Array(state.live.values), Array(state.pauses.values))
        }
        for pause in pauses { pause.resume() }
        for exchange in live { exchange.stop() }
        // After them, because released responses then have no exchange to continue.
        injector.stop()
        onClose(self)
    }
}
