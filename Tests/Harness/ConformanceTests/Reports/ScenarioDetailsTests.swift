import CacheSemantics
import Conformance
import Scenarios
import Testing

@Suite("Details of one scenario")
struct ScenarioDetailsTests {
    private let run = RunDescription(subject: "nginx 1", transport: "network", count: 1)

    private func details(_ result: ScenarioResult) -> ScenarioDetails {
        ScenarioDetails(result, of: run, catalogue: .standard)
    }

    private var failed: ScenarioResult { SampleRun.results[1] }

    @Test(
        "They contain the scenario's own grounds first, the rule's sentence, the quotation and the link to its section, what was expected, and both ends of an exchange",
        arguments: [
            "FAILED  http/4.2.1/max-age/boundary [private]",
            "nginx 1, network, level must",
            """
            What is required
              RFC 9111 §4, MUST NOT
                "a cache MUST NOT reuse a stored response unless"
                https://www.rfc-editor.org/rfc/rfc9111#section-4
              RFC 9111 §4.2, must  (rfc9111.4.2.fresh)
            """,
            "https://www.rfc-editor.org/rfc/rfc9111#section-4.2\n",
            "  http.cache-control.max-age\n",
            "source: expected origin, seen memory",
        ]
    )
    func contents(part: String) {
        #expect(details(failed).text.contains(part), "\(details(failed).text)")
    }

    @Test("Parts that are not known are left out")
    func absent() {
        let text = details(failed).text
        for heading in ["The scenario,", "The bytes", "Again"] { #expect(!text.contains(heading)) }
    }

    @Test("The scenario is shown with the numbers of its lines, after the ids of its dependencies' results")
    func scenario() {
        var shown = details(failed)
        let before = Array(repeating: "# comment", count: 11)
        shown.fileText = (before + ["  - id: boundary", "    title: t", "", "  - id: next"]).joined(
            separator: "\n"
        )
        shown.dependencies = [SampleRun.results[0]]
        #expect(
            shown.text.contains(
                """
                The scenario, scenarios/http/4.2.1/max-age.yaml:12:5
                  12    - id: boundary
                  13      title: t
                  after http/4.2.1/max-age/reused [private]: passed

                """
            ),
            "\(shown.text)"
        )
    }

    @Test("A file that has become shorter than the scenario's position does no harm")
    func shortFile() {
        var shown = details(failed)
        shown.fileText = "suite: s"
        #expect(shown.text.contains("The scenario, scenarios/http/4.2.1/max-age.yaml:12:5\n\n"))
    }

    @Test("Control characters on the wire are shown, not written")
    func wire() {
        var result = failed
        result.wire = "> GET /\u{1B}[31m\n\n"
        #expect(details(result).text.hasSuffix("connections\n  > GET /\\u{1b}[31m\n"))
    }

    @Test(
        "A rule links to the section of the sentence that it quotes, or of its source",
        arguments: [
            ("RFC 9111 §4.2.1", "https://www.rfc-editor.org/rfc/rfc9111#section-4.2.1"),
            ("RFC 5861 §3, RFC 9111 §4", "https://www.rfc-editor.org/rfc/rfc5861#section-3"),
            ("RFC 9110 §B.3", "https://www.rfc-editor.org/rfc/rfc9110#appendix-B.3"),
            ("RFC 8246", "https://www.rfc-editor.org/rfc/rfc8246"),
            (
                "draft-ietf-httpbis-no-vary-search §2",
                "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-no-vary-search#section-2"
            ),
            ("A look at SDWebImage: SDImageCache", nil),
            ("RFC", nil), ("", nil),
        ]
    )
    func link(source: String, expected: String?) {
        #expect(CatalogueRule(id: "a", level: .must, source: source, sentence: "b").link == expected)
    }

    @Test("Every rule of an RFC or a draft has a link")
    func links() {
        let without = RuleCatalogue.standard.rules.filter { rule in
            (rule.source.hasPrefix("RFC") || rule.source.hasPrefix("draft")) && rule.link == nil
        }
        #expect(without.map(\.id) == [])
    }
}
