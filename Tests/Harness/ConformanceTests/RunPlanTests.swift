import CacheSemantics
import LocatedYAML
import Scenarios
import Testing

@testable import Conformance
import Threads

@Suite("Plan and schedule of a run")
struct RunPlanTests {
    private static func scenario(_ id: String, needs: [String] = [], level: RuleLevel = .must) -> Scenario {
        var scenario = Scenario(
            id: id,
            title: "It holds",
            level: level,
            rules: ["rfc9111.4.2.fresh"],
            position: Position(file: "a/b.yaml", line: 1, column: 1)
        )
        scenario.dependencies = needs
        return scenario
    }

    private static func plan(_ scenarios: [Scenario], _ selection: Selection = Selection()) -> RunPlan {
        RunPlan([Suite(path: "a/b", title: "Suite", scenarios: scenarios)], selection: selection)
    }

    private static func results(
        of plan: RunPlan,
        jobs: Int,
        _ verdict: @escaping @Sendable (RunPlan.Item) -> Verdict
    ) -> [ScenarioResult] {
        let schedule = Schedule(plan)
        let threads = (0..<jobs).map { _ in
            SystemThread {
                schedule.work { item in
                    ScenarioResult(
                        item.scenario,
                        suite: item.suite,
                        cacheKind: item.cacheKind,
                        verdict: verdict(item)
                    )
                }
            }
        }
        var results: [ScenarioResult] = []
        schedule.reportAll { results.append($0) }
        for thread in threads { thread.join() }
        return results
    }

    @Test("a scenario is run once with each kind of cache, in the order of the file")
    func order() {
        let plan = Self.plan([Self.scenario("a/b/two", needs: ["a/b/one"]), Self.scenario("a/b/one")])
        let names = Self.results(of: plan, jobs: 4) { _ in .passed }.map(\.name)
        #expect(
            names == ["a/b/two [private]", "a/b/two [shared]", "a/b/one [private]", "a/b/one [shared]"]
        )
    }

    @Test("a scenario whose dependency fails is not run, with that kind of cache only", arguments: [1, 8])
    func dependencyFailed(jobs: Int) {
        let plan = Self.plan([
            Self.scenario("a/b/three", needs: ["a/b/two"]), Self.scenario("a/b/two", needs: ["a/b/one"]),
            Self.scenario("a/b/one"),
        ])
        let results = Self.results(of: plan, jobs: jobs) { item in
            item.scenario.id == "a/b/one" && item.cacheKind == .shared ? .setupFailed("no answer") : .passed
        }
        #expect(
            results.map(\.verdict) == [
                .passed, .dependencyFailed(on: "a/b/two"), .passed, .dependencyFailed(on: "a/b/one"), .passed,
                .setupFailed("no answer"),
            ]
        )
    }

    @Test("scenarios that depend on each other are harness errors, and the run ends")
    func cycle() {
        let plan = Self.plan([
            Self.scenario("a/b/one", needs: ["a/b/two"]), Self.scenario("a/b/two", needs: ["a/b/one"]),
        ])
        let verdicts = Self.results(of: plan, jobs: 2) { _ in .passed }.map(\.verdict.name)
        #expect(Set(verdicts) == ["harness-error"])
    }

    @Test("a filter also selects the dependencies of the selected scenarios")
    func filter() {
        var selection = Selection()
        selection.filters = [GlobPattern("*/two")]
        selection.cacheKinds = [.shared]
        let plan = Self.plan(
            [
                Self.scenario("a/b/one"), Self.scenario("a/b/two", needs: ["a/b/one"]),
                Self.scenario("a/b/three"),
            ],
            selection
        )
        #expect(plan.items.map(\.scenario.id) == ["a/b/one", "a/b/two"])
        #expect(plan.items.map(\.cacheKind) == [.shared, .shared])
    }

    @Test("A pattern for rules selects the scenarios that name a matching rule, and no others")
    func rules() {
        var other = Self.scenario("a/b/other")
        other.rules = ["rfc9111.3.no-store", "rfc9111.4.1.star"]
        var selection = Selection()
        selection.cacheKinds = [.shared]
        selection.rules = [GlobPattern("rfc9111.4.1*")]
        #expect(
            Self.plan([Self.scenario("a/b/one"), other], selection).items.map(\.scenario.id) == ["a/b/other"]
        )
        selection.filters = [GlobPattern("*/one")]
        #expect(Self.plan([Self.scenario("a/b/one"), other], selection).items.isEmpty)
    }

    @Test("levels that are not named are omitted")
    func levels() {
        var selection = Selection()
        selection.levels = [.should]
        let plan = Self.plan([Self.scenario("a/b/one"), Self.scenario("a/b/two", level: .should)], selection)
        #expect(plan.items.map(\.scenario.id) == ["a/b/two", "a/b/two"])
    }

    @Test("a thousand scenarios on eight jobs are reported in order, each once")
    func many() {
        let ids = (0..<500).map { "a/b/n\($0)" }
        let plan = Self.plan(
            ids.enumerated().map { Self.scenario($1, needs: $0 % 3 == 0 ? [] : [ids[$0 - 1]]) }
        )
        let names = Self.results(of: plan, jobs: 8) { _ in .passed }.map(\.id)
        #expect(names == ids.flatMap { [$0, $0] })
    }
}
