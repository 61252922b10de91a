import CacheSemantics
public import Scenarios

/// What came of one scenario; the cases are never mixed up.
public enum Verdict: Sendable, Hashable {
    /// Every expectation held.
    case passed
    /// The subject did something else than expected; never empty.
    case failed([Mismatch])
    /// It was not run; why.
    case skipped(reason: String)
    /// A step that only prepares the others did not work, so nothing was judged.
    case setupFailed(String)
    /// A scenario that this one builds on did not pass, so it was not run.
    case dependencyFailed(on: String)
    /// The harness itself could not go on; says nothing about the subject.
    case harnessError(String)

    /// The word that reports use.
    public var name: String {
        switch self {
        case .passed: "pass"
        case .failed: "fail"
        case .skipped: "skipped"
        case .setupFailed: "setup-failed"
        case .dependencyFailed: "dependency-failed"
        case .harnessError: "harness-error"
        }
    }

    /// One line that says why; empty for a pass.
    public var reason: String {
        switch self {
        case .passed: ""
        case .failed(let mismatches): mismatches.first.map(Self.sentence) ?? "failed"
        case .skipped(let reason): reason
        case .setupFailed(let text): text
        case .dependencyFailed(let id): "\(id) did not pass"
        case .harnessError(let text): text
        }
    }

    /// The expectations that did not hold; empty unless failed.
    public var mismatches: [Mismatch] {
        if case .failed(let mismatches) = self { mismatches } else { [] }
    }

    /// The id of the scenario that did not pass; `nil` unless a dependency failed.
    var failedDependency: String? {
        if case .dependencyFailed(let id) = self { id } else { nil }
    }

    /// Whether it says that something did not hold.
    var speaksAgainstTheSubject: Bool {
        switch self {
        case .failed, .setupFailed: true
        case .passed, .skipped, .dependencyFailed, .harnessError: false
        }
    }

    /// The verdict on what failed each time that it was run, each time so many seconds late.
    static func inconclusive(_ lateRuns: [Double], _ reason: String) -> Verdict {
        let times = lateRuns.map { decimal($0, places: 1) + " s" }.joined(separator: ", ")
        return .harnessError(
            "inconclusive, because its steps came late each time (\(times)); last: \(reason)"
        )
    }

    /// The verdict on what builds on a scenario that did not pass.
    ///
    /// Where that was not judged, neither is this: what the harness could not do speaks against no subject. Nor does what
    /// builds on something that no rule asks for.
    static func following(_ result: ScenarioResult, at level: RuleLevel) -> Verdict {
        switch result.verdict {
        case .skipped: .skipped(reason: "\(result.id) was skipped")
        case .harnessError: .harnessError("\(result.id), which it builds on, was not judged")
        default:
            level.isAsked && !result.level.isAsked
                ? .skipped(reason: "\(result.id), which no rule asks for, did not pass")
                : .dependencyFailed(on: result.id)
        }
    }

    static func sentence(_ mismatch: Mismatch) -> String {
        "\(mismatch.subject): expected \(mismatch.expected), seen \(mismatch.seen)"
    }
}

extension RuleLevel {
    /// Whether a rule asks for it, so that a run fails where it does not hold.
    var isAsked: Bool { self == .must || self == .should }
}
