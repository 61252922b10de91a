import PublicSuite

/// What came of one test, and what was done.
struct SuiteOutcome: Sendable {
    /// `nil` where it was not run.
    var result: SuiteResult?
    /// What was asked, and what both ends saw.
    var steps: [StepRecord] = []
    /// Real time it took, in seconds.
    var seconds = 0.0
    /// Whether the subject, or the origin, was gone before it ended.
    var isSubjectLost = false

    /// Whether it was run and nothing speaks against the subject.
    var holds: Bool { result == .passed }
}
