/// The lines of a file that are one scenario.
struct ScenarioExcerpt {
    /// The scenario's lines, each with its number; empty if the file does not have the position.
    let lines: [(number: Int, text: Substring)]

    /// Finds the scenario at a position in the text of its file: its line and those that are indented as deep, or empty.
    init(text: String, line: Int, column: Int) {
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard all.indices.contains(line - 1) else {
            lines = []
            return
        }
        let rest = all[line...].prefix { line in
            line.allSatisfy(\.isWhitespace) || line.prefix(column - 1).allSatisfy { $0 == " " }
        }
        var found = [all[line - 1]] + rest
        while found.last?.allSatisfy(\.isWhitespace) == true { found.removeLast() }
        lines = found.enumerated().map { (line + $0, $1) }
    }
}
