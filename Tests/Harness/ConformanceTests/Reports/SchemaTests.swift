import Conformance
import LocatedYAML
import Testing
import TestSupport

@Suite("Schema of the JSON report, docs/run-report.schema.json")
struct SchemaTests {
    private func schema() throws -> JSONSchema {
        let path = packageFolder + "/docs/run-report.schema.json"
        return try JSONSchema(String(readingFile: path), file: path)
    }

    @Test("Every line of a report with every verdict fits")
    func report() throws {
        let schema = try schema()
        let lines = SampleRun.report(.json).split(separator: "\n")
        #expect(lines.count == SampleRun.results.count + 2)
        for line in lines {
            let problems = schema.problems(in: try YAMLNode.parse(json: String(line), file: "report"))
            #expect(problems == [], "\(line)")
        }
    }

    @Test(
        "What is not an event of a report does not fit",
        arguments: [
            #"{"event":"run-started"}"#,
            #"{"event":"other"}"#,
            #"{"event":"run-started","format":2,"subject":"","transport":"direct","count":0,"baseline":false}"#,
            #"{"event":"run-started","format":1,"subject":"","transport":"direct","count":"0","baseline":false}"#,
            #"{"event":"run-started","format":1,"subject":"","transport":"direct","count":0,"baseline":false,"more":1}"#,
        ]
    )
    func others(line: String) throws {
        #expect(try !schema().problems(in: YAMLNode.parse(json: line, file: "report")).isEmpty)
    }
}
