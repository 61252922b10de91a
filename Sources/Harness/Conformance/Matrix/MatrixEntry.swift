import CacheSemantics
import PublicSuite

/// One subject of a matrix and the results of its run.
package struct MatrixEntry: Sendable {
    /// Name and version.
    package var name: String
    /// In the order of the plan.
    package var results: [ScenarioResult] = []
    /// Wall time in seconds.
    package var seconds = 0.0
    /// Whether anything in its run came from a store; otherwise what it passes counts for nothing.
    package var hasReuse = true
    /// Why the subject could not be run; `nil` if it could.
    package var obstacle: String?

    /// Creates an entry of a subject that has not been run yet.
    package init(name: String) {
        self.name = name
    }
}

/// The number of a level's scenarios that a subject passes.
struct MatrixScore: Sendable, Hashable {
    /// Scenarios that passed.
    var passed = 0
    /// Those that passed in a run without any reuse; not counted as judged.
    var unstored = 0
    /// Those that were judged themselves.
    var judged = 0
    /// Judged scenarios, and those that were not judged only because a dependency failed.
    var masked = 0
    /// Scenarios that do not apply or could not be judged.
    var skipped = 0
    /// Scenarios that the harness could not judge.
    var broken = 0

    /// Counts one more verdict.
    mutating func add(_ verdict: Verdict, hasReuse: Bool = true) {
        switch verdict {
        case .passed where !hasReuse: unstored += 1
        case .passed: (passed, judged) = (passed + 1, judged + 1)
        case .failed: judged += 1
        case .setupFailed, .dependencyFailed: masked += 1
        case .skipped: skipped += 1
        case .harnessError: broken += 1
        }
    }

    /// The score as `12 of 15`.
    var text: String { judged == 0 ? "–" : "\(passed) of \(judged)" }

    /// The score with scenarios that dependencies and setup steps masked counted as failed.
    var maskedText: String { judged + masked == 0 ? "–" : "\(passed) of \(judged + masked)" }
}
