import Clocks
import HTTPServing
import Locks
public import OriginScript

/// One scenario's part of the origin: its script, its clock and its record.
public final class OriginNamespace: Sendable {
    struct State {
        var script: Script
        var faults: FaultDesk
        /// What goes over the connections; `nil` where nobody keeps it.
        var wire: WireLog?
        var record: [RecordedExchange] = []
        var connections: [UInt64: Int] = [:]
        /// Exchanges under way by their number; greetings of connections have negative ones.
        var live: [Int: RawExchange] = [:]
        /// Requests whose reading waits.
        var pauses: [UInt64: ReadingPause] = [:]
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
                    arrivedAt: wallSeconds,
                    tls: request.tls
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
    let state: Lock<State>
    private let outages: OutageSchedule
    /// Whether anything can happen to a connection before its first request.
    let harmsConnections: Bool
    /// Whether anything can happen while a request is read.
    let pacesRequests: Bool
    /// Whether anything is drawn by the names of requests.
    private let drawsByName: Bool
    /// The network to this origin; `nil` is this machine's own.
    let link: NetworkLink?

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
        let desk = FaultDesk(faults)
        harmsConnections = desk.harmsConnections
        pacesRequests = desk.harmsReading || network != nil
        drawsByName =
            !faults.faults.isEmpty || network != nil
            || routes.contains { $0.answers.contains { !$0.faults.isEmpty } }
        link = network.map { NetworkLink($0, clock: clock, seed: faults.seed, scope: faults.scope) }
        outages = OutageSchedule(faults.outages, clock: clock, refuse: refuse)
        let script = Script(routes)
        index = script.index
        state = Lock(State(script: script, faults: desk))
        outages.start()
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
        (harmsConnections, pacesRequests, drawsByName, link) = (false, false, false, nil)
        outages = OutageSchedule([], clock: clock) { _ in }
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
        let (live, pauses) = state.withLock { (Array($0.live.values), Array($0.pauses.values)) }
        return Set(live.filter(\.isParked).map(\.peerPort) + pauses.map(\.peerPort))
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

    /// Keeps what goes over the connections from now on.
    public func keepWire() {
        state.withLock { $0.wire = $0.wire ?? WireLog() }
    }

    /// What went over the connections since `keepWire()`, exchange by exchange, ordered by the requests' labels.
    ///
    /// Read while no exchange is being written, which `isAtRest` tells, it is the same in every run of the same script.
    public var wireLog: String {
        let (wire, live) = state.withLock { ($0.wire, $0.live) }
        guard var wire else { return "" }
        for (number, exchange) in live { wire.end(number, sent: exchange.bytesSent, .stopped) }
        return wire.text
    }

    /// Whether every exchange is over or waits.
    public var isAtRest: Bool {
        let live = state.withLock { $0.live.filter { $0.key > 0 }.values }
        return live.allSatisfy(\.isParked)
    }

    /// What was drawn so far, in the order it was drawn.
    public var decisions: [FaultDecision] { state.withLock { $0.faults.decisions } }

    /// How long the content of the last request took to be read; `nil` before the first, and without a network.
    public var lastUpload: Duration? { link?.lastUpload }

    // MARK: Steering

    /// Changes the network; only where one was given when the namespace was opened.
    public func use(network: NetworkSchedule) {
        link?.use(network)
    }

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
        outages.stop()
        let (live, pauses) = state.withLock { state in
            state.isClosed = true
            state.stalls = []
            return (Array(state.live.values), Array(state.pauses.values))
        }
        for pause in pauses { pause.resume() }
        for exchange in live { exchange.stop() }
        onClose()
    }

    // MARK: Answering

    /// Time since the script began.
    var elapsed: Duration { clock.elapsed - startedElapsed }

    /// Whether connections are refused at this moment, by a fault of the plan.
    public var isRefusing: Bool { outages.isRefusing }

    /// Records a request and returns what is answered.
    func accept(_ request: ServedRequest) -> Accepted {
        let routed = RoutedRequest(request, base: base)
        if let suite { return accept(routed, suite) }
        let wallSeconds = clock.wallSeconds
        let elapsed = elapsed
        let stall = Hold()
        // Compared outside the lock, because content may be large.
        let places = index.places(for: routed)
        let (number, found, name, answer, faults) = state.withLock { state in
            let found = state.script.next(routed, among: places, elapsedSeconds: elapsed.inSeconds)
            let answer = found?.answer ?? .plain(status: 404, "The script has no route for \(routed.path).")
            // A name is a digest of the whole request: most scenarios draw nothing and keep no log.
            let name =
                drawsByName || state.wire != nil
                ? state.faults.name(of: request, path: routed.path, route: found?.route.label ?? "") : ""
            let faults = state.faults.strikes(
                name: name,
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
            return (state.record.count, found, name, answer, faults)
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
        return Accepted(number: number, name: name, reply: reply)
    }

    private func accept(_ routed: RoutedRequest, _ suite: SuiteScript) -> Accepted {
        let wallSeconds = clock.wallSeconds
        let number = state.withLock { state in
            state.add(routed, nil, wallSeconds)
            return state.record.count
        }
        let reply = suite.reply(to: routed.request)
        note(reply, of: number)
        return Accepted(number: number, name: "", reply: reply)
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
        let reply = RawReply(
            accepted.reply.rendered(),
            ending: accepted.reply.ending,
            clock: clock,
            observer: NamespaceObserver(namespace: self, number: accepted.number)
        )
        state.withLock { $0.wire?.add(accepted.number, name: accepted.name, request, reply) }
        link?.wasRead(request)
        return link?.shaped(reply, to: request, name: accepted.name) ?? reply
    }

    struct Accepted {
        let number: Int
        /// What the request is called in logs.
        let name: String
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

    func ended(_ number: Int, _ end: ExchangeEnd, bytesSent: Int) {
        let isAborted = end == .aborted
        state.withLock { state in
            state.wire?.end(number, sent: bytesSent, end)
            state.live[number] = nil
            state.record[number - 1].isEnded = true
            state.record[number - 1].isAborted = isAborted
            state.record[number - 1].bytesSent = bytesSent
        }
        notify()
    }

    func greetingEnded(_ number: Int) {
        state.withLock { $0.live[number] = nil }
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
        namespace.ended(number, end, bytesSent: bytesSent)
    }
}
