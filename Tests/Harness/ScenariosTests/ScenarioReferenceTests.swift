import LocatedYAML
import OriginScript
import TestSupport
import Testing

@testable import Scenarios

/// Documents that contain generated parts; `RECORD=1` rewrites those parts.
@Suite("The reference of scenarios, steps and expectations")
struct ScenarioReferenceTests {
    @Test("The tables of scenarios/README.md match the decoder")
    func tables() throws {
        let path = packageFolder + "/scenarios/README.md"
        #expect(try GeneratedParts.differences(of: ScenarioReference.tables, in: path) == [])
    }

    @Test("The definitions of scenarios/schema.json match the decoder")
    func schema() throws {
        let path = packageFolder + "/scenarios/schema.json"
        let definitions = ScenarioReference.definitions(of: "stack", settings: "stack", step: "stackStep")
        #expect(try GeneratedParts.differences(of: definitions, in: path) == [])
    }

    @Test("The example of each kind of step is such a step", arguments: StepKey.allCases)
    func steps(key: StepKey) throws {
        #expect(problems(suiteText(steps: "- \(key.row.example)")) == "none")
        let example = try YAMLNode.parse(key.row.example, file: "example")
        #expect(example.value(of: key.rawValue) != nil)
    }

    @Test(
        "The example of each setting of the client decodes and has that setting",
        arguments: rows(ClientKey.table)
    )
    func client(row: ReferenceRow) {
        expectDecoding(row) { _ = $0.clientSettings($1) }
    }

    @Test("The example of each key of a request decodes and has that key", arguments: rows(RequestKey.table))
    func request(row: ReferenceRow) {
        expectDecoding(row) { _ = $0.request($1, expect: nil) }
    }

    @Test(
        "The example of each key of an entry to store decodes and has that key",
        arguments: rows(StoreKey.table)
    )
    func store(row: ReferenceRow) {
        expectDecoding(row) { _ = $0.store($1) }
    }

    @Test(
        "The example of each expectation for the store decodes and has that key",
        arguments: rows(UsageKey.table)
    )
    func usage(row: ReferenceRow) {
        expectDecoding(row) { _ = $0.usageExpectation($1) }
    }

    @Test(
        "The example of each expectation for a response decodes and has that key",
        arguments: rows(ExpectKey.table)
    )
    func expect(row: ReferenceRow) {
        expectDecoding(row) { _ = $0.callerExpectation($1) }
    }

    @Test(
        "The example of each expectation for the origin decodes and has that key",
        arguments: rows(OriginSawKey.table)
    )
    func originSaw(row: ReferenceRow) {
        expectDecoding(row) { _ = $0.originExpectation($1) }
    }

    private func expectDecoding(_ row: ReferenceRow, by decode: (ScenarioReading, YAMLNode) -> Void) {
        do {
            let example = try YAMLNode.parse(row.example, file: "example")
            #expect(example.value(of: row.name) != nil)
            let collector = ProblemCollector()
            decode(ScenarioReading(problems: collector, language: .standard), example)
            try collector.throwIfAny()
        } catch {
            Issue.record(error)
        }
    }
}

extension ReferenceRow: CustomTestStringConvertible {
    /// The name of the row.
    public var testDescription: String { name }
}

private func rows<Key, Value>(_ table: [KeyRow<Key, Value>]) -> [ReferenceRow] { table.map(\.reference) }
