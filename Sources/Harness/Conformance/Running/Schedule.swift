import Locks
import Scenarios

/// Distributes the items of a plan to any number of threads, each after its dependencies, and returns the results in
/// the order of the plan.
///
/// If the items share a subject, one whose `must` fails when run concurrently is repeated alone when no other item can
/// run; its result is that of the repetition.
final class Schedule: Sendable {
    /// One run of an item.
    private struct Turn {
        let place: Int
        /// The number of runs that had begun by then, including this one.
        var number = 0
        /// Whether nothing else was running when it began.
        var beganAlone = true
        /// The result of the concurrent run of an item that is repeated.
        var former: ScenarioResult?
    }
    private struct State {
        var waiting: [Int]
        var results: [ScenarioResult?]
        var reported = 0
        /// The items to repeat, each with the result of its concurrent run.
        var doubtful: [Turn] = []
        var begun = 0
        var running = 0
        var isRepeating = false
    }
    private let plan: RunPlan
    private let sharesSubject: Bool
    private let state: Lock<State>
    private let cancellation: RunCancellation
    private let signal = Signal()

    /// Creates a schedule; `sharesSubject` is whether items that run at the same time use one subject, default false.
    init(_ plan: RunPlan, _ cancellation: RunCancellation = RunCancellation(), sharesSubject: Bool = false) {
        (self.plan, self.cancellation, self.sharesSubject) = (plan, cancellation, sharesSubject)
        state = Lock(State(waiting: Array(plan.items.indices), results: plan.items.map { _ in nil }))
    }

    /// Runs items until there are none left, or the run is cancelled; called by each job.
    func work(_ run: (RunPlan.Item) -> ScenarioResult) {
        while !cancellation.isCancelled, let turn = nextTurn() {
            let item = plan.items[turn.place]
            let result = obstacle(of: item) ?? run(item)
            state.withLock { end(turn, with: result, &$0) }
            signal.raise()
        }
    }

    private func end(_ turn: Turn, with result: ScenarioResult, _ state: inout State) {
        state.running -= 1
        var result = result
        if let former = turn.former {
            state.isRepeating = false
            if result.verdict.name != former.verdict.name { result.concurrentVerdict = former.verdict }
        } else if sharesSubject, result.isDoubtful, !turn.beganAlone || state.begun != turn.number {
            return state.doubtful.append(Turn(place: turn.place, former: result))
        }
        state.results[turn.place] = result
    }

    /// Calls `report` with each result in order, as soon as it and all earlier results are known, until the run is cancelled.
    func reportAll(_ report: (ScenarioResult) -> Void) {
        cancellation.raising(signal) {
            while !cancellation.isCancelled {
                let seen = signal.count
                while let result = nextResult() { report(result) }
                if state.withLock({ $0.reported == $0.results.count }) { return }
                if !cancellation.isCancelled { _ = signal.wait(after: seen) }
            }
        }
    }

    /// Returns the next run that can start; waits while all remaining items wait for others.
    private func nextTurn() -> Turn? {
        while true {
            let seen = signal.count
            if cancellation.isCancelled { return nil }
            let (turn, isEmpty) = state.withLock { state in
                (begin(&state), state.waiting.isEmpty && state.doubtful.isEmpty)
            }
            if let turn { return turn }
            if isEmpty { return nil }
            _ = signal.wait(after: seen)
        }
    }

    /// Begins a run: of an item whose dependencies have results, otherwise the repetition of one while nothing else runs.
    private func begin(_ state: inout State) -> Turn? {
        if state.isRepeating { return nil }
        let ready = state.waiting.firstIndex { index in
            plan.items[index].dependencies.allSatisfy { state.results[$0] != nil }
        }
        var turn: Turn
        if let ready {
            turn = Turn(place: state.waiting.remove(at: ready), beganAlone: state.running == 0)
        } else {
            guard state.running == 0, !state.doubtful.isEmpty else { return nil }
            turn = state.doubtful.removeFirst()
            state.isRepeating = true
        }
        state.begun += 1
        state.running += 1
        turn.number = state.begun
        return turn
    }

    private func nextResult() -> ScenarioResult? {
        state.withLock { state in
            guard state.reported < state.results.count, let result = state.results[state.reported] else {
                return nil
            }
            state.reported += 1
            return result
        }
    }

    /// Returns the result of an item that must not run.
    private func obstacle(of item: RunPlan.Item) -> ScenarioResult? {
        if let obstacle = item.obstacle { return Self.result(of: item, .harnessError(obstacle)) }
        let results = state.withLock { state in item.dependencies.compactMap { state.results[$0] } }
        guard let first = results.first(where: { $0.verdict != .passed }) else { return nil }
        var result = Self.result(of: item, .following(first, at: item.scenario.level))
        result.isSubjectLost = first.isSubjectLost
        return result
    }

    private static func result(of item: RunPlan.Item, _ verdict: Verdict) -> ScenarioResult {
        ScenarioResult(item.scenario, suite: item.suite, cacheKind: item.cacheKind, verdict: verdict)
    }
}

extension ScenarioResult {
    /// Whether other scenarios at the same subject may be why it failed, so that it is worth repeating.
    fileprivate var isDoubtful: Bool {
        guard level == .must, case .failed = verdict else { return false }
        return true
    }
}
