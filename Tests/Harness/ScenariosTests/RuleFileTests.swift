import CacheSemantics
import LocatedYAML
import Scenarios
import Testing

@Suite("Files of a project's own rules")
struct RuleFileTests {
    private func rules(_ text: String) throws(YAMLProblems) -> [CatalogueRule] {
        try RuleFile.rules(text: text, file: "r.yaml", besides: .standard)
    }

    private static let purge = """
        rules:
          - id: ours.purge
            level: must
            source: Runbook 3.2
            sentence: A purged response is not reused.
            link: https://wiki.example/purge
          - {id: ours.x-1.y, level: check, source: s, sentence: t}
        """

    @Test("A rule has the level, source, sentence and link of its map")
    func fields() throws {
        let rules = try rules(Self.purge)
        #expect(rules.map(\.id) == ["ours.purge", "ours.x-1.y"])
        #expect(rules[0].level == .must && rules[0].source == "Runbook 3.2" && rules[0].isOwn)
        #expect(rules[0].sentence == "A purged response is not reused.")
        #expect(rules[0].link == "https://wiki.example/purge")
        #expect(rules[1].link == nil)
        #expect(!rules[0].isSpecification)
    }

    @Test("A source that is a section of an RFC is the link of a rule that gives none")
    func section() throws {
        let rules = try rules("rules: [{id: a.b, level: must, source: RFC 9111 §4.4, sentence: t}]")
        #expect(rules[0].link == "https://www.rfc-editor.org/rfc/rfc9111#section-4.4")
    }

    @Test("Scenarios name own rules like others, but findings cannot")
    func language() throws {
        let language = ScenarioLanguage.standard.adding(try rules(Self.purge))
        func decode(_ step: String) throws(YAMLProblems) -> Suite {
            let scenario = "{id: x, title: t, level: must, rules: [ours.purge], steps: [\(step)]}"
            return try ScenarioDecoder.decode(
                text: "suite: s\nscenarios: [\(scenario)]",
                path: "f.yaml",
                language: language
            )
        }
        #expect(try decode("idle").scenarios[0].rules == ["ours.purge"])
        #expect(throws: YAMLProblems.self) {
            try decode("{request: {path: /}, expect: {finding: ours.purge}}")
        }
        #expect(throws: YAMLProblems.self) {
            try decode("{request: {path: /}, expect: {finding: {ours.purge: true}}}")
        }
        #expect(throws: YAMLProblems.self) {
            try ScenarioDecoder.decode(
                text:
                    "suite: s\nscenarios: [{id: x, title: t, level: must, rules: [ours.purge], steps: [idle]}]",
                path: "f.yaml"
            )
        }
    }

    private static let rest = "level: must, source: s, sentence: t"

    @Test(
        "What is wrong is refused with its place, what was found, and what was expected",
        arguments: [
            (
                "rules: [{id: purge, \(rest)}]",
                "r.yaml:1:14: found \"purge\", expected names of a-z, 0-9 and - with dots between"
            ),
            ("rules: [{id: rfc9111.4.own, \(rest)}]", "the first is not one of "),
            ("rules: [{id: ours..x, \(rest)}]", "found \"ours..x\""),
            ("rules: [{id: Ours.x, \(rest)}]", "found \"Ours.x\""),
            (
                "rules: [{id: a.b, \(rest)}, {id: a.b, \(rest)}]",
                "found the duplicate id \"a.b\", expected a unique id"
            ),
            ("rules: [{id: a.b, level: most, source: s, sentence: t}]", "found \"most\", expected \"must\""),
            ("rules: [{id: a.b, level: must, sentence: t}]", "\"source\""),
            ("rules: [{id: a.b, \(rest), link: wiki}]", "found \"wiki\", expected an http or https URL"),
            ("rules: [{id: a.b, \(rest), pending: x}]", "unknown key \"pending\" in a rule"),
            ("rules: 3", "expected a list"),
            ("{}", "\"rules\""), ("- a", "expected a file of rules, as a map"),
        ]
    )
    func refused(text: String, message: String) {
        #expect {
            try rules(text)
        } throws: { error in
            "\(error)".contains(message)
        }
    }
}
