/// The reason why a subject cannot do what a step requires.
public struct SubjectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence.
    public let description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}
