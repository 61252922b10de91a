import Conformance
import Scenarios
import Testing

@Suite("Explanations of scenarios that fail")
struct ExplanationReportTests {
    private static let scenario = """
        suite: Wrong on purpose
        scenarios:
          - id: other-variant
            title: Another variant is used
            level: must
            rules: [rfc9111.4.1.match]
            cache: [private]
            origin:
              - answer: {fields: {Cache-Control: max-age=60, Vary: Foo}, body: one}
            steps:
              - request: {path: /a, fields: {Foo: "1"}}
              - advance: 10s
              - request: {path: /a, fields: {Foo: "2"}}
                expect: {source: memory}
        """

    private static func report(_ kind: ReportKind) throws -> String {
        let suite = try ScenarioDecoder.decode(text: scenario, path: "scenarios/http/wrong.yaml")
        var reporter = kind.reporter()
        var text = ""
        _ = try Runner([suite], options: RunOptions(), version: "test").run { text += reporter.text(for: $0) }
        return text
    }

    @Test(
        "A failing scenario says what the rules make of what the origin had answered",
        arguments: [ReportKind.text, .json, .html, .junit, .tap]
    )
    func explained(kind: ReportKind) throws {
        let text = try Self.report(kind)
        #expect(text.contains("It is fresh for 60 s, from max-age."))
        #expect(text.contains("The next request goes to the origin: differs in foo."))
        #expect(text.contains("foo rules the nearest out"))
    }
}
