public import CacheSemantics

/// Failures that are expected, each with its reason.
///
/// A text file of lines `id: reason`. The kind of cache may follow the id, as in `id [shared]: reason`; without a kind
/// the line applies to every kind that the scenario is run with. A reason may end with a date, as in
/// `id: reason (until 2027-01-31)`, after which the line expects nothing and is a problem. Empty lines and lines that
/// begin with `#` are skipped.
public struct Baseline: Sendable {
    /// One line.
    struct Entry: Sendable, Hashable {
        let name: String
        let reason: String
        /// The last day on which the failure is expected, as `2027-01-31`; `nil` for no end.
        var end: String?
        let line: Int
    }
    private let file: String
    private let today: String
    private var entries: [String: Entry] = [:]

    /// Whether a baseline is given.
    var isGiven: Bool { !file.isEmpty }

    /// Creates a baseline that expects no failure.
    public init() {
        (file, today) = ("", "")
    }

    /// Parses the text of `file`; throws an error that names every line that is not `id: reason`.
    ///
    /// `today` is the date that expiry dates are compared with, as `2027-01-31`; with an empty one nothing expires.
    public init(text: String, file: String, today: String = "") throws(BaselineError) {
        (self.file, self.today) = (file, today)
        var problems: [String] = []
        for (index, line) in Self.lines(text).enumerated() {
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let entry = Self.entry(line, number: index + 1) else {
                problems.append("\(file):\(index + 1):1: found `\(line)`, expected `id: reason`")
                continue
            }
            if let end = entry.end, !Self.isDate(end) {
                problems.append(
                    "\(file):\(index + 1):1: found `until \(end)`, expected a date such as 2027-01-31"
                )
            }
            if let former = entries.updateValue(entry, forKey: entry.name) {
                problems.append(
                    "\(file):\(index + 1):1: found `\(entry.name)` again, first on line \(former.line)"
                )
            }
        }
        if !problems.isEmpty { throw BaselineError(problems: problems) }
    }

    /// Returns the reason why `result` is expected to fail; `nil` if it is not.
    public func reason(for result: ScenarioResult) -> String? {
        entry(for: result).flatMap { isExpired($0) ? nil : $0.reason }
    }

    /// Returns the reason on the line about `result`, even if it is expired; then without its date.
    func formerReason(for result: ScenarioResult) -> String? {
        entry(for: result).map { isExpired($0) ? Self.dated($0.reason).reason : $0.reason }
    }

    /// Returns the lines about scenarios with these names; one without a kind of cache is about each of its names.
    func lines(of names: Set<String>) -> [String] {
        names.compactMap { name in
            (entries[name] ?? entries[Self.id(of: name)]).map { "\(name): \($0.reason)\n" }
        }
    }

    private func entry(for result: ScenarioResult) -> Entry? { entries[result.name] ?? entries[result.id] }

    private func isExpired(_ entry: Entry) -> Bool {
        // Dates of this form are ordered as texts.
        entry.end.map { !today.isEmpty && $0 < today } ?? false
    }

    /// Returns one sentence for each line that is about no scenario or whose date is past, in the order of the lines.
    ///
    /// `kinds` has the kinds of cache that each scenario is run with, by its id.
    public func problems(knowing kinds: [String: Set<CacheKind>]) -> [String] {
        entries.values.sorted { $0.line < $1.line }.compactMap { entry in
            let place = "\(file):\(entry.line):1:"
            let id = Self.id(of: entry.name)
            guard let known = kinds[id] else {
                return "\(place) UNKNOWN ID, found `\(entry.name)`, expected the id of a scenario"
            }
            let names = CacheKind.allCases.filter(known.contains).map { "\(id) [\($0.rawValue)]" }
            if entry.name != id, !names.contains(entry.name) {
                let expected = names.map { "`\($0)`" }.joined(separator: " or ")
                return "\(place) UNKNOWN KIND OF CACHE, found `\(entry.name)`, expected \(expected)"
            }
            guard isExpired(entry), let end = entry.end else { return nil }
            return "\(place) EXPIRED on \(end), found `\(entry.name)`, expected a later date or no line"
        }
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
        let text = unquoted(reason)
        return Entry(name: unquoted(name), reason: text, end: dated(text).end, line: number)
    }

    /// Returns a reason without `(until DATE)` at its end, and the date.
    private static func dated(_ reason: String) -> (reason: String, end: String?) {
        guard reason.hasSuffix(")"), let start = reason.ranges(of: "(until ").last else {
            return (reason, nil)
        }
        let end = reason[start.upperBound...].dropLast()
        let text = trimmed(reason[..<start.lowerBound])
        return (text.isEmpty ? "no reason given" : String(text), String(end))
    }

    /// Whether a text is a day of the calendar, as `2027-01-31`.
    private static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            text.allSatisfy({ $0 == "-" || ("0"..."9").contains($0) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...lengths[month - 1]).contains(day)
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

    /// All problems, one per line.
    public var description: String { problems.joined(separator: "\n") }
}
