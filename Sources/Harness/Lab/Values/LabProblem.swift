/// A text that is not an action of the lab, or not what its origin can answer.
public struct LabProblem: Error, Sendable, Hashable {
    /// The part of the text that is wrong.
    public var found: String
    /// What may stand there.
    public var expected: String
}
