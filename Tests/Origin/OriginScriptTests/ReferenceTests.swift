import JSON
import LocatedYAML
import OriginScript
import TestSupport
import Testing

/// Documents that contain generated parts; `RECORD=1` rewrites those parts.
@Suite("The reference of the script language")
struct ReferenceTests {
    @Test("The tables of scenarios/README.md match the decoder")
    func tables() throws {
        let path = packageFolder + "/scenarios/README.md"
        let text = try String(readingFile: path)
        var generated = text
        for table in ScriptReference.tables {
            generated = try #require(
                Self.replacing(table.name, by: table.markdown, in: generated),
                "scenarios/README.md has no place for the table of \(table.name)"
            )
        }
        if isRecording { try generated.write(file: path) }
        #expect(isRecording || generated == text, "RECORD=1 swift test rewrites it")
    }

    @Test("The definitions of scenarios/schema.json match the decoder")
    func schema() throws {
        let path = packageFolder + "/scenarios/schema.json"
        let text = try String(readingFile: path)
        guard case .object(var schema) = try JSONValue(parsing: Array(text.utf8)),
            let place = schema.members.firstIndex(where: { $0.name == "$defs" }),
            case .object(var definitions) = schema.members[place].value
        else {
            Issue.record("scenarios/schema.json has no $defs")
            return
        }
        for (name, definition) in ScriptReference.definitions {
            let index = try #require(definitions.members.firstIndex { $0.name == name }, "\(name)")
            definitions.members[index].value = definition
        }
        schema.members[place].value = .object(definitions)
        let generated = JSONValue.object(schema).written(.indented) + "\n"
        if isRecording { try generated.write(file: path) }
        #expect(isRecording || generated == text, "RECORD=1 swift test rewrites it")
    }

    @Test("The example of each action has that action", arguments: FaultAction.Kind.allCases)
    func actionExamples(kind: FaultAction.Kind) throws {
        #expect(try Fault(text: ScriptReference.example(of: kind)).action.kind == kind)
    }

    @Test("The example of each event is at that event", arguments: FaultEvent.allCases)
    func eventExamples(event: FaultEvent) throws {
        #expect(try Fault(text: event.row.example).event == event)
    }

    @Test("The example of each key of an answer is an answer with that key", arguments: AnswerKey.table)
    func answerExamples(row: AnswerRow) throws {
        let example = try YAMLNode.parse(row.reference.example, file: "example")
        #expect(example.value(of: row.reference.name) != nil)
        let problems = ProblemCollector()
        let answer = Answer.decode(example, problems)
        try problems.throwIfAny()
        #expect(answer != nil)
    }

    /// Returns the text with another table between the comments that mark its place.
    private static func replacing(_ name: String, by table: String, in text: String) -> String? {
        let (start, end) = ("<!-- table: \(name) -->\n\n", "\n<!-- end of table -->")
        guard let first = text.firstRange(of: start)?.upperBound,
            let last = text[first...].firstRange(of: end)?.lowerBound
        else { return nil }
        return text[..<first] + table + text[last...]
    }
}
