/// Failures that are expected, each with its reason.
///
/// A text file of lines `id: reason`. The kind of cache may follow the id, as in `id [shared]: reason`; without a kind
/// the line applies to every kind that the scenario is run with. Empty lines and lines that begin with `#` are skipped.
public struct Baseline: Sendable {
    /// One line.
    struct Entry: Sendable, Hashable {
        let name: String
        let reason: String
        let line: Int
    }
    private let file: String
    private var entries: [String: Entry] = [:]

    /// Whether a baseline is given.
    var isGiven: Bool { !file.isEmpty }

    /// Creates a baseline that expects no failure.
    public init() {
        file = ""
    }

    /// Parses the text of `file`; throws an error that names every line that is not `id: reason`.
    public init(text: String, file: String) throws(BaselineError) {
        self.file = file
        var problems: [String] = []
        for (index, line) in Self.lines(text).enumerated() {
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let entry = Self.entry(line, number: index + 1) else {
                problems.append("\(file):\(index + 1):1: found `\(line)`, expected `id: reason`")
                continue
            }
            if let former = entries.updateValue(entry, forKey: entry.name) {
                problems.append(
                    "\(file):\(index + 1):1: found `\(entry.name)` again, first on line \(former.line)"
                )
            }
        }
        if !problems.isEmpty { throw BaselineError(problems: problems) }
    }

    /// Returns why `result` is expected to fail; `nil` if it is not.
    public func reason(for result: ScenarioResult) -> String? {
        (entries[result.name] ?? entries[result.id])?.reason
    }

    /// Returns one sentence for each line whose id is not among `ids`, in the order of the lines.
    public func problems(knowing ids: Set<String>) -> [String] {
        entries.values.filter { !ids.contains(Self.id(of: $0.name)) }
            .sorted { $0.line < $1.line }
            .map { "\(file):\($0.line):1: UNKNOWN ID, found `\($0.name)`, expected the id of a scenario" }
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    private static func entry(_ line: Substring, number: Int) -> Entry? {
        // Ids contain no colon, so the first one ends the id.
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let name = trimmed(line[..<colon])
        let reason = trimmed(line[line.index(after: colon)...])
        if name.isEmpty || reason.isEmpty { return nil }
        return Entry(name: unquoted(name), reason: unquoted(reason), line: number)
    }

    private static func unquoted(_ text: Substring) -> String {
        let isQuoted = text.count > 1 && text.first == "\"" && text.last == "\""
        return String(isQuoted ? text.dropFirst().dropLast() : text)
    }

    private static func id(of name: String) -> String {
        name.hasSuffix("]") ? String(name.prefix { $0 != " " }) : name
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" && $0 != "\r" }) else {
            return start.prefix(0)
        }
        return start[...end]
    }
}

/// An error in a baseline file.
public struct BaselineError: Error, CustomStringConvertible {
    /// One sentence for each problem, with its place.
    public let problems: [String]

    /// All problems, one a line.
    public var description: String { problems.joined(separator: "\n") }
}
