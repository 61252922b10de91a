import Clocks
import HTTPServing
import Locks
import OriginScript

/// What goes wrong with the answers of a stage, and the network to it; both can be changed while it serves.
final class StageTrouble: Sendable {
    private struct State {
        var desk: FaultDesk
        /// From when the times of faults count.
        var began: Duration
        var network: NetworkSchedule?
        var link: NetworkLink?
        var outages: OutageSchedule?
        /// Makes connections be refused, or not any more; `nil` before the server listens.
        var refuse: (@Sendable (Bool) -> Void)?
        /// The last that were drawn.
        var decisions: [FaultDecision] = []
        var stalls: [(label: String, hold: Hold)] = []
        /// More cannot wait at once, because each has a connection.
        static let mostStalls = 4096
        static let mostDecisions = 1000

        mutating func add(_ stall: Hold, _ label: String) {
            if stalls.count >= Self.mostStalls { stalls.removeFirst() }
            stalls.append((label, stall))
        }

        mutating func takeStalls(_ label: String?) -> [Hold] {
            let chosen = stalls.filter { label == nil || $0.label == label }
            stalls.removeAll { label == nil || $0.label == label }
            return chosen.map(\.hold)
        }

        mutating func keep(_ drawn: [FaultDecision]) {
            decisions += drawn
            if decisions.count > Self.mostDecisions {
                decisions.removeFirst(decisions.count - Self.mostDecisions)
            }
        }
    }
    let clock: any TimeSource
    private let loaded: (plan: FaultPlan, network: NetworkSchedule?)
    private let onDecision: (@Sendable (FaultDecision) -> Void)?
    private let state: Lock<State>

    init(
        _ plan: FaultPlan,
        _ network: NetworkSchedule? = nil,
        clock: any TimeSource,
        onDecision: (@Sendable (FaultDecision) -> Void)? = nil
    ) {
        self.clock = clock
        self.onDecision = onDecision
        loaded = (plan, network)
        let link = network.map { NetworkLink($0, clock: clock, seed: plan.seed, scope: plan.scope) }
        state = Lock(State(desk: FaultDesk(plan), began: clock.elapsed, network: network, link: link))
    }

    // MARK: Steering

    /// What goes wrong, and the last that was drawn, in the order it was drawn.
    var faults: (plan: FaultPlan, decisions: [FaultDecision]) {
        state.withLock { ($0.desk.plan, $0.decisions) }
    }

    /// The network that was asked for; `nil` is this machine's own.
    var network: NetworkSchedule? { state.withLock { $0.network } }

    /// Refuses connections from now on when the plan says so.
    func start(refuse: @escaping @Sendable (Bool) -> Void) {
        let outages = state.withLock { state in
            state.refuse = refuse
            return Self.arrangeOutages(&state, clock)
        }
        outages?.start()
    }

    /// Makes other things go wrong from now on, whose times count from now.
    func use(_ plan: FaultPlan) {
        let (old, new, refuse) = state.withLock { state in
            state.desk = FaultDesk(plan)
            state.began = clock.elapsed
            let old = state.outages
            return (old, Self.arrangeOutages(&state, clock), state.refuse)
        }
        if old?.stop() == true { refuse?(false) }
        new?.start()
    }

    private static func arrangeOutages(_ state: inout State, _ clock: any TimeSource) -> OutageSchedule? {
        let windows = state.desk.plan.outages
        state.outages =
            windows.isEmpty
            ? nil : state.refuse.map { OutageSchedule(windows, clock: clock, refuse: $0) }
        return state.outages
    }

    /// Puts another network between, whose phases count from now; answers that wait for one that lets nothing through
    /// go on.
    func use(network: NetworkSchedule?) {
        let old = state.withLock { state in
            let old = state.link
            let plan = state.desk.plan
            state.network = network
            state.link = network.map {
                NetworkLink($0, clock: clock, seed: plan.seed, scope: plan.scope)
            }
            return old
        }
        old?.use(network ?? NetworkSchedule(NetworkSchedule.Phase(NetworkProfile(name: "none"))))
    }

    /// Lets what stalls now go on, of one route or, with `nil`, of all; returns how many.
    func release(label: String?) -> Int {
        let holds = state.withLock { $0.takeStalls(label) }
        for hold in holds { hold.release() }
        return holds.count
    }

    /// Goes back to what was there at first; forgets what was drawn.
    func reset() {
        _ = release(label: nil)
        use(loaded.plan)
        use(network: loaded.network)
        state.withLock { $0.decisions = [] }
    }

    /// Has nothing go wrong at connections any more, and lets what stalls go on.
    func stop() {
        _ = release(label: nil)
        _ = state.withLock { $0.outages }?.stop()
    }

    // MARK: Serving

    /// Whether anything can happen to a request that no route has faults for.
    var isActive: Bool { state.withLock { !$0.desk.plan.faults.isEmpty || $0.link != nil } }

    /// Whether anything can happen while a request is read.
    var harmsReading: Bool { state.withLock { $0.desk.harmsReading || $0.link != nil } }

    /// Looks at the desk and tells what was drawn meanwhile.
    private func consult<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, drawn) = state.withLock { state in
            let result = body(&state)
            let drawn = state.desk.takeDecisions()
            state.keep(drawn)
            return (result, drawn)
        }
        if let onDecision { drawn.forEach(onDecision) }
        return result
    }

    /// Returns what is done on a connection before anything is read.
    func greeting(isTLS: Bool) -> Greeting {
        guard state.withLock({ $0.desk.harmsConnections }) else { return Greeting() }
        let now = clock.elapsed
        let hold = Hold()
        let faults = consult { state in
            let faults = state.desk.meetsConnection(elapsed: now - state.began).faults
            if faults.contains(where: \.waitsForRelease) { state.add(hold, "") }
            return faults
        }
        return ConnectionFaults.greeting(faults, isTLS: isTLS, hold: hold, clock: clock, observer: nil)
    }

    /// Returns how the content of a request is read; `nil` is as it comes.
    func reading(of request: ServedRequest) -> RequestReading? {
        let now = clock.elapsed
        let path = TargetParts(request.target).path
        let hold = Hold()
        let (faults, link) = consult { state in
            let faults = state.desk.meetsReading(request, path: path, elapsed: now - state.began)
            if faults.contains(where: \.waitsForRelease) { state.add(hold, "") }
            return (faults, state.link)
        }
        // A fault's way of reading goes before the network's.
        if faults.isEmpty { return link?.reading(of: request, name: path, observer: nil) }
        return ReadingFaults.reading(faults, of: request, hold: hold, clock: clock, observer: nil)
    }

    /// Returns what strikes a request and its answer; `stall` is where the answer waits for a release.
    func strikes(
        _ request: ServedRequest,
        _ answer: Answer,
        _ found: SiteHost.Found?,
        _ stall: Hold
    ) -> [Fault] {
        let now = clock.elapsed
        let path = TargetParts(request.target).path
        let label = found?.label ?? path
        return consult { state in
            if answer.stall != nil { state.add(stall, label) }
            guard !state.desk.plan.faults.isEmpty || !answer.faults.isEmpty else { return [] }
            let strikes = state.desk.strikes(
                name: state.desk.name(of: request, path: path, route: path),
                path: path,
                route: label,
                number: found?.count ?? state.desk.count(path),
                answer: answer,
                elapsed: now - state.began
            )
            if answer.stall == nil, strikes.contains(where: \.waitsForRelease) { state.add(stall, label) }
            return strikes
        }
    }

    /// Returns the reply as the network lets it through.
    func shaped(_ reply: RawReply, to request: ServedRequest) -> RawReply {
        guard let link = state.withLock({ $0.link }) else { return reply }
        link.wasRead(request)
        let name = "\(request.method) \(request.target) \(request.connection) \(request.requestsBefore)"
        return link.shaped(reply, to: request, name: name)
    }
}
