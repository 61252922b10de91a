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

    private static func report(_ kind: ReportKind, _ text: String = scenario) throws -> String {
        let suite = try ScenarioDecoder.decode(text: text, path: "scenarios/http/wrong.yaml")
        var reporter = kind.reporter()
        var output = ""
        _ = try Runner([suite], options: RunOptions(), version: "test").run {
            output += reporter.text(for: $0)
        }
        return output
    }

    @Test(
        "A failing scenario explains the origin's responses by the rules",
        arguments: [ReportKind.text, .json, .html, .junit, .tap]
    )
    func explained(kind: ReportKind) throws {
        let text = try Self.report(kind)
        #expect(text.contains("It is fresh for 60 s, from max-age."))
        #expect(text.contains("The next request is forwarded to the origin: differs in foo."))
        #expect(text.contains("The nearest stored response does not match: foo is"))
    }

    @Test("The explanation takes the policy of the request and the scenario's client settings into account")
    func client() throws {
        let text = """
            suite: Wrong on purpose
            scenarios:
              - id: policy
                title: A policy is obeyed
                level: must
                rules: [rfc9111.4.2.fresh]
                cache: [private]
                client: {heuristics: false}
                origin:
                  - answer: {last-modified: -100d, body: one}
                steps:
                  - request: {path: /a}
                  - request: {path: /a, policy: returnCacheDataElseLoad}
                    expect: {source: origin}
            """
        let output = try Self.report(.text, text)
        #expect(output.contains("It is stale at once: it has no freshness information."))
        #expect(output.contains("The next request is answered"))
    }

    @Test("A failure at the first request is explained by the origin's response to it")
    func first() throws {
        let text = """
            suite: Wrong on purpose
            scenarios:
              - id: first
                title: A fresh response comes from nowhere
                level: must
                rules: [rfc9111.4.2.fresh]
                cache: [private]
                origin:
                  - answer: {fields: {Cache-Control: max-age=60}, body: one}
                steps:
                  - request: {path: /a}
                    expect: {source: memory}
            """
        #expect(try Self.report(.text, text).contains("It is fresh for 60 s, from max-age."))
    }
}
