import Clocks
import HTTPServing
import Locks
public import OriginScript

/// One scenario's part of the origin: its script, its clock and its record.
public final class OriginNamespace: Sendable {
    private struct State {
        var script: Script
        var faults: FaultDesk
        var record: [RecordedExchange] = []
        var connections: [UInt64: Int] = [:]
        var live: [Int: RawExchange] = [:]
        var stalls: [(label: String, hold: Hold)] = []
        var directInFlight = 0
        var directParked = 0
        var onActivity: (@Sendable () -> Void)?
        var isClosed = false

        mutating func add(_ routed: RoutedRequest, _ route: String?, _ wallSeconds: Double) {
            let request = routed.request
            let known = connections[request.connection]
            let connection = request.connection == 0 ? 0 : known ?? connections.count + 1
            if connection > 0 { connections[request.connection] = connection }
            record.append(
                RecordedExchange(
                    number: record.count + 1,
                    method: request.method,
                    path: routed.path,
                    query: routed.query,
                    fields: request.fields,
                    body: request.body,
                    connection: connection,
                    isReused: known != nil,
                    peerPort: request.peerPort,
                    route: route,
                    arrivedAt: wallSeconds
                )
            )
        }
    }
    /// The absolute path prefix of every request to this namespace, `/-/` and its token; what `${base}` stands for.
    public let base: String
    let clock: any TimeSource
    /// Who answers in place of the script's routes, if anybody.
    private let suite: SuiteScript?
    private let other: @Sendable () -> String
    private let startedAt: HTTPMoment
    private let startedElapsed: Duration
    private let index: RouteIndex
    private let contents: ContentStore
    private let refuse: @Sendable (Bool) -> Void
    private let onClose: @Sendable () -> Void
    private let state: Lock<State>

    init(
        token: String,
        routes: [Route],
        clock: any TimeSource,
        startedAt wallSeconds: Double,
        faults: FaultPlan,
        contents: ContentStore,
        other: @escaping @Sendable () -> String,
        refuse: @escaping @Sendable (Bool) -> Void,
        onClose: @escaping @Sendable () -> Void
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
        let script = Script(routes)
        index = script.index
        state = Lock(State(script: script, faults: FaultDesk(faults)))
    }

    /// Creates a namespace whose answers are those of a test of the public suite.
    init(
        suite: SuiteScript,
        base: String,
        clock: any TimeSource,
        contents: ContentStore,
        onClose: @escaping @Sendable () -> Void
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
        let script = Script([])
        index = script.index
        state = Lock(State(script: script, faults: FaultDesk(FaultPlan())))
    }

    // MARK: What happened

    /// Returns every exchange in order of arrival; clients that went away by now are noticed.
    public func record() -> [RecordedExchange] {
        for exchange in state.withLock({ Array($0.live.values) }) { exchange.noticeHangUp() }
        return state.withLock { $0.record }
    }

    /// Peer ports of connections whose exchange waits on the clock, a stall or for ever, with all that comes before
    /// written to the socket.
    public var parked: Set<UInt16> {
        let live = state.withLock { Array($0.live.values) }
        return Set(live.filter(\.isParked).map(\.peerPort))
    }

    /// Whether an exchange on a socket is under way that waits for nothing.
    public var isAnswering: Bool {
        let live = state.withLock { Array($0.live.values) }
        return live.contains { !$0.isParked }
    }

    /// How many exchanges without a socket are under way, and how many of them wait.
    public var directExchanges: (inFlight: Int, parked: Int) {
        state.withLock { ($0.directInFlight, $0.directParked) }
    }

    /// Sets what is called whenever an exchange parks or ends, on any thread.
    public func onActivity(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onActivity = action }
    }

    /// What was drawn so far, in the order it was drawn.
    public var decisions: [FaultDecision] { state.withLock { $0.faults.decisions } }

    // MARK: Steering

    /// Lets answers go that stall now, of one route or, with `nil`, of all.
    public func release(label: String?) {
        let holds = state.withLock { state in
            let chosen = state.stalls.filter { label == nil || $0.label == label }
            state.stalls.removeAll { label == nil || $0.label == label }
            return chosen.map(\.hold)
        }
        for hold in holds { hold.release() }
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
        let live = state.withLock { state in
            state.isClosed = true
            state.stalls = []
            return Array(state.live.values)
        }
        for exchange in live { exchange.stop() }
        onClose()
    }

    // MARK: Answering

    /// Records a request and returns what is answered.
    func accept(_ request: ServedRequest) -> Accepted {
        let routed = RoutedRequest(request, base: base)
        if let suite { return accept(routed, suite) }
        let wallSeconds = clock.wallSeconds
        let elapsed = clock.elapsed - startedElapsed
        let stall = Hold()
        // Compared outside the lock, because content may be large.
        let places = index.places(for: routed)
        let (number, found, answer, faults) = state.withLock { state in
            let found = state.script.next(routed, among: places, elapsedSeconds: elapsed.inSeconds)
            let answer = found?.answer ?? .plain(status: 404, "The script has no route for \(routed.path).")
            let faults = state.faults.strikes(
                request,
                path: routed.path,
                route: found?.route.label ?? "",
                number: found?.count ?? 1,
                answer: answer,
                elapsed: elapsed
            )
            if let found, answer.stall != nil || faults.contains(where: \.waitsForRelease) {
                state.stalls.append((found.route.label, stall))
            }
            state.add(routed, found?.route.label, wallSeconds)
            return (state.record.count, found, answer, faults)
        }
        let context = AnswerContext(
            request: request,
            now: HTTPMoment(wallSeconds: wallSeconds),
            startedAt: startedAt,
            base: base,
            other: other(),
            count: found?.count ?? 1,
            elapsedSeconds: elapsed.inSeconds,
            parameters: found?.route.parameters(of: routed) ?? [:]
        )
        let reply = OriginReply.compose(answer, context, contents, stall: stall, faults: faults)
        note(reply, of: number)
        return Accepted(number: number, reply: reply)
    }

    private func accept(_ routed: RoutedRequest, _ suite: SuiteScript) -> Accepted {
        let wallSeconds = clock.wallSeconds
        let number = state.withLock { state in
            state.add(routed, nil, wallSeconds)
            return state.record.count
        }
        let reply = suite.reply(to: routed.request)
        note(reply, of: number)
        return Accepted(number: number, reply: reply)
    }

    /// Records what is answered, which may be decided only later.
    private func note(_ reply: OriginReply, of number: Int) {
        guard let status = reply.finalStatus else { return }
        state.withLock { state in
            state.record[number - 1].status = status
            state.record[number - 1].answerFields = reply.head.fields
        }
    }

    /// Returns the reply to a request that came on a socket.
    func reply(to request: ServedRequest) -> RawReply {
        let accepted = accept(request)
        return RawReply(
            accepted.reply.rendered(),
            ending: accepted.reply.ending,
            clock: clock,
            observer: NamespaceObserver(namespace: self, number: accepted.number)
        )
    }

    struct Accepted {
        let number: Int
        let reply: OriginReply
    }

    // MARK: Progress

    func began(_ number: Int, _ exchange: RawExchange) {
        let isClosed = state.withLock { state in
            state.live[number] = exchange
            return state.isClosed
        }
        if isClosed { exchange.stop() }
    }

    func ended(_ number: Int, isAborted: Bool, bytesSent: Int) {
        state.withLock { state in
            state.live[number] = nil
            state.record[number - 1].isEnded = true
            state.record[number - 1].isAborted = isAborted
            state.record[number - 1].bytesSent = bytesSent
        }
        notify()
    }

    func notify() {
        state.withLock { $0.onActivity }?()
    }

    func directChanged(inFlight: Int = 0, parked: Int = 0) {
        state.withLock { state in
            state.directInFlight += inFlight
            state.directParked += parked
        }
        notify()
    }
}

/// Follows one exchange for its namespace's record.
struct NamespaceObserver: ExchangeObserver {
    let namespace: OriginNamespace
    let number: Int

    func exchangeBegan(_ exchange: RawExchange) { namespace.began(number, exchange) }

    func exchangeParked() { namespace.notify() }

    func exchangeEnded(_ end: ExchangeEnd, bytesSent: Int) {
        namespace.ended(number, isAborted: end == .aborted, bytesSent: bytesSent)
    }
}
