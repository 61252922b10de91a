import ReportFormats

/// One of several parts of a run, chosen by a hash of each id, so that adding a scenario moves no other.
public struct Shard: Sendable, Hashable, CustomStringConvertible {
    /// The number of the part, from 1.
    public let number: Int
    /// The number of parts, at least `number`.
    public let count: Int

    /// Creates a part from `i/n`; `nil` if the text is not of this form.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]), count >= 1,
            count <= 10_000,
            (1...count).contains(number)
        else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// `i/n`.
    public var description: String { "\(number)/\(count)" }

    /// Whether a scenario belongs to this part.
    public func contains(_ id: String) -> Bool { Int(id.stableHash % UInt64(count)) == number - 1 }
}
