package import JSON
import Locks

/// Parts of documents that are written from tables of the sources; `RECORD=1` rewrites them.
package enum GeneratedParts {
    /// Several tests rewrite parts of the same file.
    private static let files = Lock(())

    /// Returns the names of the tables that a document does not have as they are in the sources.
    package static func differences(
        of tables: [(name: String, markdown: String)],
        in path: String
    ) throws -> [String] {
        try files.withLock { _ in
            let text = try String(readingFile: path)
            var (generated, differing) = (text, [String]())
            for table in tables {
                guard let place = place(of: table.name, in: generated) else {
                    differing.append("\(table.name), which has no place")
                    continue
                }
                if generated[place] == table.markdown { continue }
                generated.replaceSubrange(place, with: table.markdown)
                if !isRecording { differing.append(table.name) }
            }
            if isRecording, generated != text { try generated.write(file: path) }
            return differing
        }
    }

    /// Returns the names of the definitions that a JSON Schema does not have as they are in the sources.
    package static func differences(
        of definitions: [(name: String, schema: JSONValue)],
        in path: String
    ) throws -> [String] {
        try files.withLock { _ in
            guard case .object(var schema) = try JSONValue(parsing: Array(String(readingFile: path).utf8)),
                let place = schema.members.firstIndex(where: { $0.name == "$defs" }),
                case .object(var known) = schema.members[place].value
            else { return ["$defs"] }
            var differing: [String] = []
            for (name, definition) in definitions {
                guard let index = known.members.firstIndex(where: { $0.name == name }) else {
                    differing.append("\(name), which has no place")
                    continue
                }
                if known.members[index].value == definition { continue }
                known.members[index].value = definition
                if !isRecording { differing.append(name) }
            }
            schema.members[place].value = .object(known)
            if isRecording { try (JSONValue.object(schema).written(.indented) + "\n").write(file: path) }
            return differing
        }
    }

    /// Returns the text between the comments that mark a table's place.
    private static func place(of name: String, in text: String) -> Range<String.Index>? {
        guard let start = text.firstRange(of: "<!-- table: \(name) -->\n\n")?.upperBound,
            let end = text[start...].firstRange(of: "\n<!-- end of table -->")?.lowerBound
        else { return nil }
        return start..<end
    }
}
