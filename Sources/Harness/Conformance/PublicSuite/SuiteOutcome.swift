import PublicSuite

/// The result of one test and a record of its steps.
struct SuiteOutcome: Sendable {
    /// The result; `nil` if the test was not run.
    var result: SuiteResult?
    /// The requests, and what both ends saw.
    var steps: [StepRecord] = []
    /// Real time it took, in seconds.
    var seconds = 0.0
    /// Whether the subject or the origin was gone before the test ended.
    var isSubjectLost = false

    /// Whether the test was run and passed.
    var holds: Bool { result == .passed }
}
