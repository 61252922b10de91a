import CacheSemantics
import LocatedYAML
import Locks
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
        sharesSubject: Bool = false,
        _ verdict: @escaping @Sendable (RunPlan.Item) -> Verdict
    ) -> [ScenarioResult] {
        let schedule = Schedule(plan, sharesSubject: sharesSubject)
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

    /// A subject whose first two scenarios disturb each other, and that passes a later one if nothing else runs, or never.
    private final class DisturbedSubject: Sendable {
        static let failure = Verdict.failed([
            Mismatch(position: "f.yaml:1:1", subject: "status", expected: "200", seen: "500")
        ])
        private let isAlwaysWrong: Bool
        private let meets: Bool
        private let running = Lock(0)
        private let begun = Lock<[String]>([])
        private let signal = Signal()

        var runs: [String] { begun.withLock { $0 } }

        init(isAlwaysWrong: Bool, meets: Bool) { (self.isAlwaysWrong, self.meets) = (isAlwaysWrong, meets) }

        func verdict(_ item: RunPlan.Item) -> Verdict {
            running.withLock { $0 += 1 }
            defer { running.withLock { $0 -= 1 } }
            let number = begun.withLock { begun in
                begun.append(item.scenario.id)
                return begun.count
            }
            signal.raise()
            if meets, number <= 2 { awaitSecond() }
            let isAlone = running.withLock { $0 == 1 } && !(meets && number <= 2)
            return isAlone && !isAlwaysWrong ? .passed : Self.failure
        }

        private func awaitSecond() {
            while true {
                let seen = signal.count
                if runs.count >= 2 { return }
                _ = signal.wait(after: seen)
            }
        }
    }

    @Test(
        "At a shared subject a must that fails when run concurrently is repeated alone, and the repetition is used",
        arguments: [
            // Passes alone; what depends on it runs afterwards.
            (RuleLevel.must, true, false, ["passed", "passed", "passed"], [true, true, false], 5),
            (.must, true, true, ["failed", "failed", "dependency-failed"], [false, false, false], 4),
            (.should, true, false, ["failed", "failed", "dependency-failed"], [false, false, false], 2),
            (.must, false, false, ["failed", "failed", "dependency-failed"], [false, false, false], 2),
        ]
    )
    func repeatedAlone(
        _ level: RuleLevel,
        _ sharesSubject: Bool,
        _ isAlwaysWrong: Bool,
        _ verdicts: [String],
        _ isNoted: [Bool],
        _ runs: Int
    ) {
        let subject = DisturbedSubject(isAlwaysWrong: isAlwaysWrong, meets: true)
        let results = Self.results(of: Self.threePlan(level), jobs: 2, sharesSubject: sharesSubject) {
            subject.verdict($0)
        }
        #expect(results.map(\.verdict.name) == verdicts)
        let noted = results.map(\.concurrentVerdict)
        #expect(noted == isNoted.map { $0 ? DisturbedSubject.failure : nil })
        #expect(subject.runs.count == runs)
    }

    @Test("A must that failed while nothing else ran is not repeated")
    func failedAlone() {
        let subject = DisturbedSubject(isAlwaysWrong: true, meets: false)
        _ = Self.results(of: Self.threePlan(.must), jobs: 1, sharesSubject: true) { subject.verdict($0) }
        #expect(subject.runs == ["a/b/one", "a/b/two"])
    }

    /// Returns two scenarios and one that depends on the first, with one kind of cache.
    private static func threePlan(_ level: RuleLevel) -> RunPlan {
        var selection = Selection()
        selection.cacheKinds = [.shared]
        let scenarios = [
            scenario("a/b/one", level: level), scenario("a/b/two", level: level),
            scenario("a/b/three", needs: ["a/b/one"], level: level),
        ]
        return plan(scenarios, selection)
    }
}
