import Locks
import Scenarios

/// Distributes the items of a plan to any number of threads, each after its dependencies, and returns the results in
/// the order of the plan.
final class Schedule: Sendable {
    private struct State {
        var waiting: [Int]
        var results: [ScenarioResult?]
        var reported = 0
    }
    private let plan: RunPlan
    private let state: Lock<State>
    private let cancellation: RunCancellation
    private let signal = Signal()

    init(_ plan: RunPlan, _ cancellation: RunCancellation = RunCancellation()) {
        (self.plan, self.cancellation) = (plan, cancellation)
        state = Lock(State(waiting: Array(plan.items.indices), results: plan.items.map { _ in nil }))
    }

    /// Runs items until there are none left, or the run is cancelled; called by each job.
    func work(_ run: (RunPlan.Item) -> ScenarioResult) {
        while !cancellation.isCancelled, let place = nextPlace() {
            let item = plan.items[place]
            let result = obstacle(of: item) ?? run(item)
            state.withLock { $0.results[place] = result }
            signal.raise()
        }
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

    /// Returns the next item that can start; waits while all remaining items wait for others.
    private func nextPlace() -> Int? {
        while true {
            let seen = signal.count
            if cancellation.isCancelled { return nil }
            let (place, isEmpty) = state.withLock { state in
                let index = state.waiting.firstIndex { place in
                    plan.items[place].dependencies.allSatisfy { state.results[$0] != nil }
                }
                return (index.map { state.waiting.remove(at: $0) }, state.waiting.isEmpty)
            }
            if let place { return place }
            if isEmpty { return nil }
            _ = signal.wait(after: seen)
        }
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
