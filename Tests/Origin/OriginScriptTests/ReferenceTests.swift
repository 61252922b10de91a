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
        #expect(try GeneratedParts.differences(of: ScriptReference.tables, in: path) == [])
    }

    @Test("The definitions of scenarios/schema.json match the decoder")
    func schema() throws {
        let path = packageFolder + "/scenarios/schema.json"
        #expect(try GeneratedParts.differences(of: ScriptReference.definitions, in: path) == [])
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
}
