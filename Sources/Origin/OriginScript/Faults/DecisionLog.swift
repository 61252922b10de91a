/// A log of random decisions: the seed, then one decision per line.
public struct DecisionLog: Sendable, Hashable {
    /// The seed of the run.
    public var seed: UInt64
    /// The decisions in the order of the log.
    public var lines: [String]

    /// Creates a log, by default without decisions.
    public init(seed: UInt64, lines: [String] = []) {
        self.seed = seed
        self.lines = lines
    }

    /// Parses the text of a log; `nil` unless it begins with a seed.
    public init?(text: String) {
        var lines = text.split(whereSeparator: \.isNewline).map(String.init)
        guard let first = lines.first, first.hasPrefix(Self.heading),
            let seed = UInt64(first.dropFirst(Self.heading.count))
        else { return nil }
        lines.removeFirst()
        self.init(seed: seed, lines: lines)
    }

    /// The log as a file.
    public var text: String { ([Self.heading + "\(seed)"] + lines).map { $0 + "\n" }.joined() }

    /// Returns the number of the first line that differs from another log, with both lines; `nil` for equal logs.
    public func firstDifference(from other: DecisionLog) -> (line: Int, here: String?, there: String?)? {
        if seed != other.seed { return (1, Self.heading + "\(seed)", Self.heading + "\(other.seed)") }
        for index in 0..<max(lines.count, other.lines.count) {
            let here = index < lines.count ? lines[index] : nil
            let there = index < other.lines.count ? other.lines[index] : nil
            if here != there { return (index + 2, here, there) }
        }
        return nil
    }

    private static let heading = "# cachecheck decisions, seed "
}
