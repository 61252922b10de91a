/// A position in a file.
public struct Position: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The file as the user named it.
    public var file: String
    /// Line, from 1.
    public var line: Int
    /// Column, from 1.
    public var column: Int

    /// Creates a position; without a line and a column the start of the file.
    public init(file: String, line: Int = 1, column: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`.
    public var description: String { "\(file):\(line):\(column)" }

    /// Whether the left position comes first.
    public static func < (left: Position, right: Position) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

extension StringProtocol {
    /// The lines with their numbers, from 1; CR LF ends one line, not two.
    package var numberedLines: [(number: Int, line: SubSequence)] {
        let lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return zip(1..., lines).map { ($0, $1) }
    }
}

/// A value and its position in a file.
public struct Located<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// Its position.
    public var position: Position

    /// Creates a located value.
    public init(_ value: Value, at position: Position) {
        self.value = value
        self.position = position
    }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
