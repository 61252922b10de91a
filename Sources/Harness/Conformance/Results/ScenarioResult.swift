public import CacheSemantics
public import LocatedYAML
public import OriginScript
public import PublicSuite
public import Scenarios

/// One scenario run with one kind of cache, and what came of it.
public struct ScenarioResult: Sendable {
    /// Full id of the scenario.
    public var id: String
    /// Path of its suite.
    public var suite: String
    /// Its area, by which reports group.
    public var area: String
    /// Its title.
    public var title: String
    /// How binding it is.
    public var level: RuleLevel
    /// The rules it checks.
    public var rules: [String]
    /// The kind of cache it was run with.
    public var cacheKind: CacheKind
    /// Where it stands.
    public var position: Position
    /// What came of it.
    public var verdict: Verdict
    /// The steps that were taken, in order.
    public var steps: [StepRecord]
    /// Real time it took, in seconds.
    public var seconds: Double
    /// What was drawn for random faults, ordered by request.
    public var decisions: [FaultDecision] = []
    /// How the clock was moved, one move a line.
    public var clockMoves: [ClockMove] = []
    /// What went over the connections, where that was asked for.
    public var wire = ""
    /// Why the baseline expects it to fail; `nil` where it does not.
    public var baselineReason: String?
    /// By how many seconds the steps came late of each run that says nothing because of that, in order; mostly empty.
    ///
    /// After each but the last the scenario was run afresh as a whole.
    public var lateRuns: [Double] = []

    /// How its client was set up; `nil` for a test of the public suite.
    var client: ClientSettings?
    /// Whether the subject, or the origin, was gone before it ended.
    public var isSubjectLost = false
    /// How a test of the public suite counts there; `nil` for a scenario.
    public var suiteClass: SuiteClass?
    /// What came of a test of the public suite by itself; `nil` for a scenario and for what was not run.
    public var suiteResult: SuiteResult?

    /// Creates a result of nothing but its verdict.
    init(
        id: String,
        suite: String,
        area: String,
        title: String,
        level: RuleLevel,
        cacheKind: CacheKind,
        position: Position,
        verdict: Verdict,
        seconds: Double
    ) {
        self.id = id
        self.suite = suite
        self.area = area
        self.title = title
        self.level = level
        self.cacheKind = cacheKind
        self.position = position
        self.verdict = verdict
        self.seconds = seconds
        rules = []
        steps = []
    }

    /// Creates the result of `scenario`.
    public init(
        _ scenario: Scenario,
        suite: Suite,
        cacheKind: CacheKind,
        verdict: Verdict,
        steps: [StepRecord] = [],
        seconds: Double = 0
    ) {
        id = scenario.id
        self.suite = suite.path
        area = suite.area
        title = scenario.title
        level = scenario.level
        rules = scenario.rules
        self.cacheKind = cacheKind
        position = scenario.position
        client = scenario.client
        self.verdict = verdict
        self.steps = steps
        self.seconds = seconds
    }

    /// The id with the kind of cache: `http/4.2.1/max-age/boundary [private]`; unique in a run.
    public var name: String { "\(id) [\(cacheKind.rawValue)]" }

    /// How it counts in the run.
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

/// How a result counts in the run.
public enum ResultStatus: String, Sendable, Hashable, CaseIterable {
    /// As it should be.
    case passed
    /// A `must` or `should` that does not hold; fails the run.
    case failed
    /// A failure that the baseline names; does not fail the run.
    case expectedFailure = "expected-failure"
    /// A pass where the baseline names a failure; fails the run.
    case unexpectedPass = "unexpected-pass"
    /// An `optimal` or `check` that does not hold; does not fail the run.
    case noted
    /// Not run.
    case skipped
    /// The harness could not go on; fails the run.
    case broken

    /// Whether the run fails because of it.
    public var failsRun: Bool { self == .failed || self == .unexpectedPass || self == .broken }
}
