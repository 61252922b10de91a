import Testing
import TestSupport

@Suite("Rules of a project, as a user runs them", .timeLimit(.minutes(20)), .blocking)
struct RuleFileCommandTests {
    private func program() throws -> Program {
        let program = try Program()
        try program.folder.write(
            "rules.yaml",
            """
            rules:
              - {id: ours.purge, level: must, source: Runbook 3.2, sentence: A purged response is not reused., link: 'https://wiki.example/p'}
              - {id: ours.unused, level: must, source: Runbook 4, sentence: Nothing checks this.}
            """
        )
        try program.folder.write(
            "own/s.yaml",
            """
            suite: Mine
            scenarios:
              - id: purge
                title: t
                level: must
                rules: [ours.purge]
                cache: shared
                origin: [{answer: {fields: {Cache-Control: max-age=60}}}]
                steps: [{request: {path: /}}, {request: {path: /}, expect: {source: origin}}]
            """
        )
        return program
    }

    @Test(
        "Each report of a failure has the rule's sentence and its source or link",
        arguments: [
            ("text", ["FAILED s/purge [shared]", "rules: ours.purge"]),
            ("sarif", ["A purged response is not reused.", "https://wiki.example/p"]),
            ("html", ["A purged response is not reused.", "https://wiki.example/p"]),
            ("github", ["A purged response is not reused."]),
        ]
    )
    func reports(kind: String, parts: [String]) throws {
        let outcome = try program().run(["run", "own", "--rules", "rules.yaml", "--report", kind])
        #expect(outcome.status == 1)
        for part in parts { #expect(outcome.text.contains(part), "\(part) is missing in:\n\(outcome.text)") }
    }

    @Test("Without the file the rule is not defined, and the message names the option")
    func undefined() throws {
        let outcome = try program().run(["run", "own"])
        #expect(outcome.status == 65)
        #expect(outcome.text.contains("undefined rule \"ours.purge\""))
        #expect(outcome.text.contains("--rules"))
    }

    @Test("why explains the rule, and its command has the option")
    func why() throws {
        let outcome = try program().run(["why", "purge", "--scenarios", "own", "--rules", "rules.yaml"])
        #expect(outcome.status == 1)
        for part in ["A purged response is not reused.", "--rules rules.yaml"] {
            #expect(outcome.text.contains(part), "\(outcome.text)")
        }
    }

    @Test("rules lists own rules, and which have no scenario")
    func list() throws {
        let list = ["rules", "--rules", "rules.yaml", "--source", "own", "--scenarios", "own"]
        let text = try program().run(list).text
        #expect(
            text.contains(
                "ours.purge  must, Runbook 3.2\n  A purged response is not reused.\n  scenario s/purge"
            )
        )
        #expect(text.contains("  Nothing checks this.\n  NOT CHECKED"))
        #expect(text.contains("2 rules: 2 must"))
    }

    @Test("A file of rules that cannot be read, or is wrong, ends the command with status 65")
    func unreadable() throws {
        let program = try program()
        try program.folder.write("wrong.yaml", "rules: [{id: purge}]")
        #expect(try program.run(["run", "own", "--rules", "none.yaml"]).status == 65)
        let outcome = try program.run(["run", "own", "--rules", "wrong.yaml"])
        #expect(outcome.status == 65)
        #expect(outcome.text.contains("wrong.yaml:1:14: found \"purge\""))
    }
}
