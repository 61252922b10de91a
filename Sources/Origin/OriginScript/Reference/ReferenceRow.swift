package import JSON

/// One row of a reference table: a name of the script language, the values it takes and what it means.
///
/// READMEs, JSON Schemas and help texts are written from such rows; a test fails where they differ.
package struct ReferenceRow: Sendable {
    /// The name as it is written in a script.
    package var name: String
    /// The values it takes, as error messages put it after "expected"; `nil` where it takes none.
    package var value: String?
    /// What applies without it; `nil` for a row without a default.
    package var defaultValue: String?
    /// The meaning: one phrase, with code spans in backquotes.
    package var summary: String
    /// More about it, in Markdown, for the README alone.
    package var details: String
    /// A complete example.
    package var example: String
    /// The JSON Schema of its values, without a description.
    package var schema: JSONValue

    /// Creates a row.
    package init(
        _ name: String,
        value: String? = nil,
        default defaultValue: String? = nil,
        _ summary: String,
        details: String = "",
        example: String,
        schema: JSONValue = [:]
    ) {
        self.name = name
        self.value = value
        self.defaultValue = defaultValue
        self.summary = summary
        self.details = details
        self.example = example
        self.schema = schema
    }

    /// The JSON Schema of its values, with a description.
    package var describedSchema: JSONValue {
        let plain = summary.replacing("`", with: "")
        let text = defaultValue.map { "\(plain); default \($0.replacing("`", with: ""))." } ?? plain + "."
        return schema.adding(["description": .string(text)])
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
