package import JSON

/// One row of a reference table: a name of the script language, the values it takes and what it means.
///
/// READMEs, JSON Schemas and help texts are written from such rows; a test fails where they differ.
package struct ReferenceRow: Sendable {
    /// The name as it is written in a script.
    package var name: String
    /// The values it takes.
    package var takes: ValueForm
    /// The default; `nil` for a row without one.
    package var defaultValue: String?
    /// The meaning: one phrase, with code spans in backquotes.
    package var summary: String
    /// More about it, in Markdown, for the README alone.
    package private(set) var details = ""
    /// A complete example.
    package var example: String

    /// Creates a row.
    package init(
        _ name: String,
        takes: ValueForm = .nothing,
        default defaultValue: String? = nil,
        _ summary: String,
        example: String
    ) {
        self.name = name
        self.takes = takes
        self.defaultValue = defaultValue
        self.summary = summary
        self.example = example
    }

    /// Returns the row with more details.
    package func explained(_ details: String) -> ReferenceRow {
        var row = self
        row.details = details
        return row
    }

    /// The values it takes in words; `nil` if it takes none.
    package var value: String? { takes.words }

    /// The JSON Schema of its values, with a description.
    package var describedSchema: JSONValue {
        let plain = summary.replacing("`", with: "")
        let text = defaultValue.map { "\(plain); default \($0.replacing("`", with: ""))." } ?? plain + "."
        return takes.schema.adding(["description": .string(text)])
    }
}

/// A table of the script language, as Markdown and as properties of a JSON Schema.
package struct ReferenceTable: Sendable {
    /// A column of the table in Markdown.
    package enum Column: Sendable {
        case name, value, summary, defaultValue, example
    }
    /// Rows in the order in which they are listed.
    package var rows: [ReferenceRow]

    /// Creates a table of rows.
    package init(_ rows: [ReferenceRow]) { self.rows = rows }

    /// Returns the table in Markdown, each column with its heading.
    package func markdown(_ columns: [(heading: String, Column)]) -> String {
        let heading = "| " + columns.map(\.heading).joined(separator: " | ") + " |\n"
        let rule = "|" + columns.map { _ in "---|" }.joined() + "\n"
        let lines = rows.map { row in
            "| " + columns.map { Self.cell($0.1, of: row) }.joined(separator: " | ") + " |\n"
        }
        return heading + rule + lines.joined()
    }

    /// The JSON Schemas of the values by name.
    package var properties: JSONValue { .object(rows.map { ($0.name, $0.describedSchema) }) }

    private static func cell(_ column: Column, of row: ReferenceRow) -> String {
        let text =
            switch column {
            case .name: "`\(row.name)`"
            case .value: row.value ?? "none"
            case .summary: row.details.isEmpty ? row.summary : row.summary + ". " + row.details
            case .defaultValue: row.defaultValue ?? ""
            case .example: row.example.isEmpty ? "" : "`\(row.example)`"
            }
        return text.replacing("|", with: "\\|")
    }
}
