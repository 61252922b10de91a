/// A text that is not an action of the lab, or not what its origin can answer.
package struct LabProblem: Error, Sendable, Hashable {
    /// The part of the text that is wrong.
    package var found: String
    /// The expected values.
    package var expected: String
}
