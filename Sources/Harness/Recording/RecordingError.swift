/// A failure to make, write or read a recording.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence: what failed, on what, and why.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
