package import Clocks
import HTTPServing
import Locks
package import OriginScript

/// Injects faults at an origin and emulates the network to it; both can be changed while it serves.
package final class FaultInjector: Sendable {
    struct State {
        var scheduler: FaultScheduler
        /// The time from which the windows of faults are counted.
        var began: Duration
        var network: NetworkSchedule?
        var link: NetworkLink?
        var outages: OutageSchedule?
        /// Switches refusing connections on and off; `nil` before the server listens.
        var refuse: (@Sendable (Bool) -> Void)?
        /// The last decisions.
        var decisions: [FaultDecision] = []
        var stalls = HeldResponses()
    }
    /// The number of decisions that a server keeps, which may run for days.
    static let maximumServerDecisions = 1000
    package let clock: any TimeSource
    private let loaded: (plan: FaultPlan, network: NetworkSchedule?)
    private let maximumDecisions: Int
    private let onDecision: (@Sendable (FaultDecision) -> Void)?
    private let state: Lock<State>

    /// Creates an injector that keeps the last `maximumDecisions` decisions, by default all.
    package init(
        _ plan: FaultPlan,
        _ network: NetworkSchedule? = nil,
        clock: any TimeSource,
        maximumDecisions: Int = .max,
        onDecision: (@Sendable (FaultDecision) -> Void)? = nil
    ) {
        self.clock = clock
        self.maximumDecisions = maximumDecisions
        self.onDecision = onDecision
        loaded = (plan, network)
        let link = network.map { NetworkLink($0, clock: clock, seed: plan.seed, scope: plan.scope) }
        state = Lock(
            State(scheduler: FaultScheduler(plan), began: clock.elapsed, network: network, link: link)
        )
    }

    // MARK: State

    /// The faults, and the last decisions in the order in which they were made.
    package var faults: (plan: FaultPlan, decisions: [FaultDecision]) {
        state.withLock { ($0.scheduler.plan, $0.decisions) }
    }

    /// The emulated network; `nil` is this machine's own.
    package var network: NetworkSchedule? { state.withLock { $0.network } }

    /// The emulation of the network; `nil` without one.
    package var link: NetworkLink? { state.withLock { $0.link } }

    /// Whether requests may be affected whose routes have no faults.
    var isActive: Bool { state.withLock { !$0.scheduler.plan.faults.isEmpty || $0.link != nil } }

    /// Whether connections may be affected before their first request.
    var harmsConnections: Bool { state.withLock { $0.scheduler.harmsConnections } }

    /// Whether a fault of the plan refuses connections now.
    var isRefusing: Bool { state.withLock { $0.outages }?.isRefusing ?? false }

    // MARK: Changes

    /// Starts the outages of the plan.
    package func start(refuse: @escaping @Sendable (Bool) -> Void) {
        let outages = state.withLock { state in
            state.refuse = refuse
            return Self.arrangeOutages(&state, clock)
        }
        outages?.start()
    }

    /// Replaces the faults; windows are counted from now.
    package func use(_ plan: FaultPlan) {
        let (old, new, refuse) = state.withLock { state in
            state.scheduler = FaultScheduler(plan)
            state.began = clock.elapsed
            let old = state.outages
            return (old, Self.arrangeOutages(&state, clock), state.refuse)
        }
        if old?.stop() == true { refuse?(false) }
        new?.start()
    }

    private static func arrangeOutages(_ state: inout State, _ clock: any TimeSource) -> OutageSchedule? {
        let windows = state.scheduler.plan.outages
        state.outages =
            windows.isEmpty
            ? nil : state.refuse.map { OutageSchedule(windows, clock: clock, refuse: $0) }
        return state.outages
    }

    /// Replaces the network, whose phases are counted from now.
    ///
    /// Responses that the old network delays continue on the new one.
    package func use(network: NetworkSchedule?) {
        let old = state.withLock { state in
            let old = state.link
            let plan = state.scheduler.plan
            state.network = network
            state.link = network.map { NetworkLink($0, clock: clock, seed: plan.seed, scope: plan.scope) }
            return old
        }
        old?.use(network ?? NetworkSchedule(NetworkSchedule.Phase(NetworkProfile(name: "none"))))
    }

    /// Releases the held responses of one route or, with `nil`, of all; returns their number.
    @discardableResult
    package func release(label: String?) -> Int {
        let holds = state.withLock { $0.stalls.take(label) }
        for hold in holds { hold.release() }
        return holds.count
    }

    /// Restores the initial faults and network and removes all decisions.
    package func reset() {
        release(label: nil)
        use(loaded.plan)
        use(network: loaded.network)
        state.withLock { $0.decisions = [] }
    }

    /// Ends outages and releases all held responses.
    package func stop() {
        release(label: nil)
        _ = state.withLock { $0.outages }?.stop()
    }

    // MARK: Decisions

    /// Runs `body` with the state and the time since the faults began, then reports the decisions that it made.
    func consult<Result>(_ body: (inout State, Duration) -> Result) -> Result {
        let (result, decisions) = decide(body)
        report(decisions)
        return result
    }

    /// Runs `body` with the state and the time since the faults began; returns the decisions that it made, too.
    func decide<Result>(_ body: (inout State, Duration) -> Result) -> (Result, [FaultDecision]) {
        let now = clock.elapsed
        return state.withLock { state in
            let result = body(&state, now - state.began)
            let drawn = state.scheduler.takeDecisions()
            state.decisions += drawn
            if state.decisions.count > maximumDecisions {
                state.decisions.removeFirst(state.decisions.count - maximumDecisions)
            }
            return (result, drawn)
        }
    }

    /// Reports decisions; not to be called with a lock held.
    func report(_ decisions: [FaultDecision]) {
        if let onDecision { decisions.forEach(onDecision) }
    }
}
