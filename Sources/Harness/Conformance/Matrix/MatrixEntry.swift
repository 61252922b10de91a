import CacheSemantics
import PublicSuite

/// One subject of a matrix and what came of its run.
public struct MatrixEntry: Sendable {
    /// Name and version.
    public var name: String
    /// In the order of the plan.
    public var results: [ScenarioResult] = []
    /// Wall time in seconds.
    public var seconds = 0.0
    /// Why it could not be run; `nil` where it could.
    public var obstacle: String?

    /// Creates an entry of a subject that is still to run.
    public init(name: String) {
        self.name = name
    }
}

/// How many of the scenarios of a level a subject holds.
struct MatrixScore: Sendable, Hashable {
    /// Those that passed.
    var passed = 0
    /// Those with a verdict of their own.
    var judged = 0
    /// Those that would be judged if what they depend on had not masked them, counted as judged.
    var masked = 0
    /// Those that do not apply, or could not be judged.
    var skipped = 0
    /// Those that the harness could not judge.
    var broken = 0

    /// Counts one more verdict.
    mutating func add(_ verdict: Verdict) {
        switch verdict {
        case .passed: (passed, judged) = (passed + 1, judged + 1)
        case .failed: judged += 1
        case .setupFailed, .dependencyFailed: masked += 1
        case .skipped: skipped += 1
        case .harnessError: broken += 1
        }
    }

    /// `12 of 15`.
    var text: String { judged == 0 ? "–" : "\(passed) of \(judged)" }

    /// The same, with what dependencies and setting up mask counted as not held.
    var maskedText: String { judged + masked == 0 ? "–" : "\(passed) of \(judged + masked)" }
}
