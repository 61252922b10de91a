/// The rules that the Swift tests check, as recorded in `scenarios/checked-by-tests.txt`.
package struct CheckedByTests: Sendable, Hashable {
    /// Test files by rule id, sorted.
    package var files: [String: [String]] = [:]

    /// Creates an empty record.
    package init() {}

    /// Parses a record: lines of a rule id and a test file, separated by a space; `#` starts a comment.
    package init(text: String) {
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            if parts.count == 2 { files[String(parts[0]), default: []].append(String(parts[1])) }
        }
        for id in files.keys { files[id]?.sort() }
    }

    /// Adds the ids in the traits `.checks("…")` of a test file.
    package mutating func add(source: String, file: String) {
        for id in Self.ids(in: source) where files[id]?.contains(file) != true {
            files[id, default: []].append(file)
            files[id]?.sort()
        }
    }

    /// The record as the text of its file.
    package var text: String {
        let lines = files.keys.sorted().flatMap { id in (files[id] ?? []).map { "\(id) \($0)" } }
        let head =
            "# Rules that Swift tests check. Written by RECORD=1 swift test --filter CheckedByTestsTests.\n"
        return head + lines.map { $0 + "\n" }.joined()
    }

    /// Returns the string literals between `.checks(` and its closing parenthesis; comments are ignored.
    private static func ids(in source: String) -> [String] {
        let code = source.split(whereSeparator: \.isNewline)
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            .joined(separator: "\n")
        return code.split(separator: ".checks(", omittingEmptySubsequences: false).dropFirst().flatMap {
            rest in
            let parts = rest.prefix { $0 != ")" }.split(separator: "\"", omittingEmptySubsequences: false)
            return parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
        }
    }
}
