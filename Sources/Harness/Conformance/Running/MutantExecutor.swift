package import CacheSemantics
package import Scenarios
import Threads

/// Runs scenarios against decorated clients, sequentially or concurrently, each in its own environment.
package final class MutantExecutor: Sendable {
    private let executor: Executor

    /// Starts the origin that all trials share.
    ///
    /// `timeout` is the real time limit of a step; without an observer the client may take shorter ways. A subject other
    /// than the built-in client is not decorated.
    package init(
        timeout: Duration = .seconds(20),
        isObserved: Bool = true,
        subject: RunOptions.Subject = .builtin
    ) throws(RunnerError) {
        var options = RunOptions()
        options.subject = subject
        options.stepTimeout = timeout
        options.isObserved = isObserved
        executor = try Executor(options)
    }

    /// Runs a scenario with one kind of cache against a decorated client; blocks the calling thread.
    ///
    /// The scenario's dependencies are ignored. Concurrent trials need different labels.
    package func run(
        _ scenario: Scenario,
        of suite: Suite,
        _ kind: CacheKind,
        _ decoration: Decoration,
        label: String
    ) -> ScenarioResult {
        var item = RunPlan.Item(scenario: scenario, suite: suite, cacheKind: kind)
        item.decoration = decoration
        item.label = label
        return executor.run(item)
    }

    /// Runs all scenarios that `isIncluded` admits against a decorated client, so many at a time, each after those that it
    /// depends on; returns their results in the order of the plan.
    package func runAll(
        _ suites: [Suite],
        _ decoration: Decoration,
        label: String,
        jobs: Int,
        where isIncluded: (Scenario) -> Bool
    ) -> [ScenarioResult] {
        var included = suites
        for index in included.indices { included[index].scenarios.removeAll { !isIncluded($0) } }
        var plan = RunPlan(included, selection: Selection())
        plan.decorate(with: decoration, label: label)
        let schedule = Schedule(plan)
        SystemThread.concurrently(jobs) { [executor] in schedule.work { executor.run($0) } }
        var results: [ScenarioResult] = []
        schedule.reportAll { results.append($0) }
        return results
    }

    /// Stops the origin; called once, after the last trial.
    package func close() { executor.close() }
}
