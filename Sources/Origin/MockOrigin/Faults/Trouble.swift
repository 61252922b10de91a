import Clocks
import HTTPServing
import Locks
import OriginScript

/// What goes wrong at an origin, and the network to it; both can be changed while it serves.
final class Trouble: Sendable {
    struct State {
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
        var stalls = StallBook()
    }
    let clock: any TimeSource
    private let loaded: (plan: FaultPlan, network: NetworkSchedule?)
    private let mostDecisions: Int
    private let onDecision: (@Sendable (FaultDecision) -> Void)?
    private let state: Lock<State>

    /// Keeps the last decisions, by default all: a server for people runs for days.
    init(
        _ plan: FaultPlan,
        _ network: NetworkSchedule? = nil,
        clock: any TimeSource,
        mostDecisions: Int = .max,
        onDecision: (@Sendable (FaultDecision) -> Void)? = nil
    ) {
        self.clock = clock
        self.mostDecisions = mostDecisions
        self.onDecision = onDecision
        loaded = (plan, network)
        let link = network.map { NetworkLink($0, clock: clock, seed: plan.seed, scope: plan.scope) }
        state = Lock(State(desk: FaultDesk(plan), began: clock.elapsed, network: network, link: link))
    }

    // MARK: What there is

    /// What goes wrong, and the last that was drawn, in the order it was drawn.
    var faults: (plan: FaultPlan, decisions: [FaultDecision]) {
        state.withLock { ($0.desk.plan, $0.decisions) }
    }

    /// The network that was asked for; `nil` is this machine's own.
    var network: NetworkSchedule? { state.withLock { $0.network } }

    /// What emulates the network; `nil` where there is none.
    var link: NetworkLink? { state.withLock { $0.link } }

    /// Whether anything can happen to a request that no route has faults for.
    var isActive: Bool { state.withLock { !$0.desk.plan.faults.isEmpty || $0.link != nil } }

    /// Whether anything can happen to a connection before its first request.
    var harmsConnections: Bool { state.withLock { $0.desk.harmsConnections } }

    /// Whether anything can happen while a request is read.
    var harmsReading: Bool { state.withLock { $0.desk.harmsReading || $0.link != nil } }

    /// Whether connections are refused at this moment, by the plan.
    var isRefusing: Bool { state.withLock { $0.outages }?.isRefusing ?? false }

    // MARK: Steering

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
    @discardableResult
    func release(label: String?) -> Int {
        let holds = state.withLock { $0.stalls.take(label) }
        for hold in holds { hold.release() }
        return holds.count
    }

    /// Goes back to what was there at first; forgets what was drawn.
    func reset() {
        release(label: nil)
        use(loaded.plan)
        use(network: loaded.network)
        state.withLock { $0.decisions = [] }
    }

    /// Has nothing go wrong at connections any more, and lets what stalls go on.
    func stop() {
        release(label: nil)
        _ = state.withLock { $0.outages }?.stop()
    }

    // MARK: Asking

    /// Asks what happens now and tells what was drawn meanwhile; `body` is given the time since the faults' began.
    func consult<Result>(_ body: (inout State, Duration) -> Result) -> Result {
        let now = clock.elapsed
        let (result, drawn) = state.withLock { state in
            let result = body(&state, now - state.began)
            let drawn = state.desk.takeDecisions()
            state.decisions += drawn
            if state.decisions.count > mostDecisions {
                state.decisions.removeFirst(state.decisions.count - mostDecisions)
            }
            return (result, drawn)
        }
        if let onDecision { drawn.forEach(onDecision) }
        return result
    }
}
