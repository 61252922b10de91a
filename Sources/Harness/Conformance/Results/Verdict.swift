import CacheSemantics
public import Scenarios

/// The verdict on one scenario, in cases that exclude each other.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Verdict: Sendable, Hashable {
    /// Every expectation held.
    case passed
    /// The subject did not behave as expected; never empty.
    case failed([Mismatch])
    /// There is no verdict on the subject, for this reason.
    case skipped(reason: String)
    /// A setup step failed. Fails the run like `failed`.
    case setupFailed(String)
    /// A scenario that this one depends on did not pass, so it was not run.
    case dependencyFailed(on: String)
    /// The harness itself could not continue; this is not a verdict on the subject.
    case harnessError(String)

    /// The verdict's name in reports.
    public var name: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "skipped"
        case .setupFailed: "setup-failed"
        case .dependencyFailed: "dependency-failed"
        case .harnessError: "harness-error"
        }
    }

    /// The reason in one line; empty for a pass.
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

    /// The expectations that did not hold; empty unless the verdict is `failed`.
    public var mismatches: [Mismatch] {
        if case .failed(let mismatches) = self { mismatches } else { [] }
    }

    /// The id of the scenario that did not pass; `nil` unless a dependency failed.
    public var failedDependency: String? {
        if case .dependencyFailed(let id) = self { id } else { nil }
    }

    /// Whether an expectation or a setup step failed.
    var speaksAgainstTheSubject: Bool {
        switch self {
        case .failed, .setupFailed: true
        case .passed, .skipped, .dependencyFailed, .harnessError: false
        }
    }

    /// Returns the verdict on a scenario that failed in each of its late runs.
    static func inconclusive(_ lateRuns: [Double], _ reason: String) -> Verdict {
        let times = lateRuns.map { decimal($0, places: 1) + " s" }.joined(separator: ", ")
        return .harnessError("inconclusive, because its steps ran late each time (\(times)); last: \(reason)")
    }

    /// Returns the verdict on a scenario that depends on one that did not pass.
    ///
    /// If that one was not judged, neither is this: a problem of the harness is no verdict on the subject. The same
    /// holds if no rule requires the other one.
    static func following(_ result: ScenarioResult, at level: RuleLevel) -> Verdict {
        switch result.verdict {
        case .skipped: .skipped(reason: "\(result.id) was skipped.")
        case .harnessError: .harnessError("\(result.id), on which it depends, was not judged")
        default:
            level.isAsked && !result.level.isAsked
                ? .skipped(reason: "\(result.id), which no rule requires, did not pass.")
                : .dependencyFailed(on: result.id)
        }
    }

    static func sentence(_ mismatch: Mismatch) -> String {
        "\(mismatch.subject): expected \(mismatch.expected), seen \(mismatch.seen)"
    }
}

extension RuleLevel {
    /// Whether a rule requires it, so that a failure fails the run.
    var isAsked: Bool { self == .must || self == .should }
}
