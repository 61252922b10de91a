import Clocks
public import CacheSemantics
public import LocatedYAML
package import OriginScript
package import PublicSuite
public import Scenarios

/// The result of one scenario with one kind of cache.
public struct ScenarioResult: Sendable {
    /// Full id of the scenario.
    public package(set) var id: String
    /// The path of its suite.
    public package(set) var suite: String
    /// Its area, by which reports group results.
    public package(set) var area: String
    /// The sentence that the scenario checks.
    public package(set) var title: String
    /// The level of the scenario.
    public package(set) var level: RuleLevel
    /// Ids of the rules it checks.
    package var rules: [String] = []
    /// The sentences that it follows from in addition to those of its rules.
    package var grounds: [Citation] = []
    /// The kind of cache it was run with.
    public package(set) var cacheKind: CacheKind
    /// Its position in the file.
    public package(set) var position: Position
    /// The verdict on the expectations.
    public package(set) var verdict: Verdict
    /// The steps that were run, in order.
    package var steps: [StepRecord] = []
    /// Real time it took, in seconds.
    package var seconds: Double = 0
    /// The random fault decisions, ordered by request.
    package var decisions: [FaultDecision] = []
    /// The moves of the clock, in order.
    package var clockMoves: [ClockMove] = []
    /// The bytes of the connections, if they were kept.
    package var wire = ""
    /// The reason why the baseline expects it to fail; `nil` if it does not.
    public package(set) var baselineReason: String?
    /// By how many seconds the steps were late, for each run that is inconclusive because of that, in order; usually
    /// empty.
    ///
    /// After each but the last the whole scenario was rerun.
    package var lateRuns: [Double] = []
    /// The verdict of its first, concurrent run, if it failed then and got another one when it was repeated alone; else `nil`.
    package var concurrentVerdict: Verdict?

    /// The settings of its client; `nil` for a test of the public suite.
    var client: ClientSettings?
    /// Whether the subject or the origin was gone before the end.
    public package(set) var isSubjectLost = false
    /// The class of a test of the public suite in that suite's terms; `nil` for a scenario.
    package var suiteClass: SuiteClass?
    /// The result of a test of the public suite without its dependencies; `nil` for a scenario and for a test that was
    /// not run.
    package var suiteResult: SuiteResult?

    /// The rules it checks.
    public var ruleIDs: [RuleID] { rules.map { RuleID(rawValue: $0) } }

    /// The real time it took.
    public var duration: Duration { .saturating(seconds: seconds) }

    /// The id with the kind of cache: `http/4.2.1-freshness-lifetime/sources/max-age [private]`; unique in a run.
    public var name: String { "\(id) [\(cacheKind.rawValue)]" }

    /// Whether anything in it came from a store, or was validated for one.
    var showsReuse: Bool {
        let sources = steps.flatMap(\.exchanges).compactMap(\.seen.source)
        return sources.contains { [.cache, .memory, .disk, .validated].contains($0) }
            || steps.flatMap(\.exchanges).contains { $0.seen.isFound == true }
    }

    /// The id of the scenario that it depends on and that did not pass, for which it was not run; `nil` if it was run, or not run
    /// for another reason.
    ///
    /// In the run it counts as `failed` or `noted`, since it would have to pass; but it reveals nothing new about the subject.
    public var failedDependency: String? { verdict.failedDependency }

    /// The status with which it counts in the run; `failedDependency` is `nil` for a scenario that failed itself.
    public var standing: ResultStatus {
        switch verdict {
        case .skipped: .skipped
        case .harnessError: .broken
        case .passed: baselineReason == nil ? .passed : .unexpectedPass
        case .failed, .setupFailed, .dependencyFailed:
            if baselineReason != nil { .expectedFailure } else { level.isAsked ? .failed : .noted }
        }
    }
}

/// The status with which a result counts in the run.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ResultStatus: String, Sendable, Hashable, CaseIterable {
    /// The scenario passed as expected.
    case passed
    /// A `must` or `should` scenario that does not pass, or was not run because one that it depends on did not
    /// (`ScenarioResult.failedDependency`); fails the run.
    case failed
    /// A failure that the baseline lists; does not fail the run.
    case expectedFailure = "expected-failure"
    /// A pass although the baseline lists a failure; fails the run.
    case unexpectedPass = "unexpected-pass"
    /// An `optimal` or `check` scenario that does not pass; does not fail the run.
    case noted
    /// Not run.
    case skipped
    /// The harness could not continue; fails the run.
    case broken

    /// Whether the result fails the run.
    public var failsRun: Bool { self == .failed || self == .unexpectedPass || self == .broken }
}

// In an extension, so that the struct keeps the initializer of all its properties.
extension ScenarioResult {
    /// Creates the result of `scenario`.
    package init(
        _ scenario: Scenario,
        suite: Suite,
        cacheKind: CacheKind,
        verdict: Verdict,
        seconds: Double = 0
    ) {
        self.init(
            id: scenario.id,
            suite: suite.path,
            area: suite.area,
            title: scenario.title,
            level: scenario.level,
            rules: scenario.rules,
            grounds: scenario.grounds,
            cacheKind: cacheKind,
            position: scenario.position,
            verdict: verdict,
            seconds: seconds
        )
        client = scenario.client
    }
}
