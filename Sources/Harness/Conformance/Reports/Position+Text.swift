import LocatedYAML

extension Position {
    /// Creates the position that a text begins with as `file:line:column`, otherwise one in a file of that name, without
    /// line and column.
    init(leading text: String) {
        let parts = text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        if parts.count > 2, let line = Int(parts[1]), let column = Int(parts[2]) {
            self.init(file: String(parts[0]), line: line, column: column)
        } else {
            self.init(file: text, line: 0, column: 0)
        }
    }
}
