import Testing
import TestSupport

@Suite("cachecheck.yaml", .timeLimit(.minutes(20)), .blocking)
struct ProjectDefaultsTests {
    private static let suite = """
        suite: Mine
        scenarios:
          - {id: a, title: t, level: must, rules: [rfc9111.4.2.fresh], steps: [idle]}
          - {id: b, title: t, level: optimal, rules: [rfc9111.4.2.fresh], steps: [idle]}
        """

    private func run(_ file: String, _ arguments: [String]) throws -> Program.Outcome {
        let program = try Program()
        try program.folder.write("own/s.yaml", Self.suite)
        try program.folder.write("cachecheck.yaml", file)
        return try program.run(arguments)
    }

    @Test(
        "Its options are added to those of the subcommand, which take precedence",
        arguments: [
            ("run: {cache: shared, quiet: true}", [], "2 passed"),
            ("run: {cache: shared, quiet: true, filter: [s/a, s/x]}", [], "1 passed"),
            ("run: {cache: shared, level: must, quiet: true}", ["--level", "must,optimal"], "2 passed"),
            ("run: {cache: shared, quiet: false}", [], "area"), ("serve: {port: 1}", ["--quiet"], "4 passed"),
            ("run: {}", ["--quiet"], "4 passed"),
        ]
    )
    func added(file: String, arguments: [String], expected: String) throws {
        let outcome = try run(file, ["run", "own"] + arguments)
        #expect(outcome.status == 0)
        #expect(outcome.text.contains(expected), "\(outcome.text)")
    }

    @Test(
        "Options of the file that have no effect beside those that were typed are ignored",
        arguments: [
            ("run: {time: real}", ["run", "own"], Int32(0)),
            ("run: {time: real}", ["run", "own", "--subject", "builtin"], 0),
            ("fetch: {after: 61s}", ["fetch", "http://127.0.0.1:9/"], 69),
            ("run: {report: [text, json=r.json]}", ["run", "own", "--report", "json=r.json"], 0),
            ("run: {strict: true}", ["run", "missing.failure.json"], 65),
        ]
    )
    func withoutEffect(file: String, arguments: [String], status: Int32) throws {
        let outcome = try run(file, arguments)
        #expect(outcome.status == status, "\(outcome.text)")
        #expect(!outcome.text.contains("cannot be combined"), "\(outcome.text)")
    }

    @Test("Options that were typed are refused if they have no effect, beside a file, too")
    func typedWithoutEffect() throws {
        let outcome = try run("run: {subject: nginx}", ["run", "own", "--deviation", "content-language"])
        #expect(outcome.status == 65, "\(outcome.text)")
        #expect(
            outcome.text.contains("--deviation cannot be combined with --subject nginx"),
            "\(outcome.text)"
        )
    }

    @Test(
        "What is wrong is refused with its place, what was found, and what was expected",
        arguments: [
            ("ran: {}", "cachecheck.yaml:1:1: found \"ran\", expected one of "),
            ("network: {profiles: x}", "cachecheck.yaml:1:1: found \"network\", expected one of "),
            ("doctor: {help: true}", "cachecheck.yaml:1:10: found \"help\", expected no option"),
            ("run:\n  lvel: must", "cachecheck.yaml:2:3: found \"lvel\", expected \"level\""),
            ("run: {quiet: 3}", "cachecheck.yaml:1:14: found \"3\", expected true or false"),
            (
                "run: {level: {a: b}}",
                "cachecheck.yaml:1:14: found a map, expected a value or a list of values"
            ),
            ("run: 3", "cachecheck.yaml:1:6: found \"3\", expected a map of options"),
            ("run: {jobs: [1, 2]}", "cachecheck.yaml:1:13: found a list, expected one value"),
            (
                "run:\n  quiet: true\n  jobs: 0",
                "cachecheck.yaml:3:9: found \"0\", expected what --jobs accepts: --jobs requires a number"
            ),
            ("run: {level: some}", "cachecheck.yaml:1:14: found \"some\", expected what --level accepts: "),
            (
                "run: {report: html=r.html, open: 3}",
                "cachecheck.yaml:1:34: found \"3\", expected true or false"
            ),
            ("[run]", "cachecheck.yaml:1:1: found a list, expected a map of subcommands"),
            ("run: {", "cachecheck.yaml:"),
        ]
    )
    func refused(file: String, message: String) throws {
        let outcome = try run(file, ["run", "own"])
        #expect(outcome.status == 65)
        #expect(outcome.text.contains(message), "\(outcome.text)")
    }

    @Test("A file that cannot be read is refused, and not ignored")
    func unreadable() throws {
        let program = try Program()
        program.folder.makeFolder("cachecheck.yaml")
        let outcome = try program.run(["doctor"])
        #expect(outcome.status == 65)
        let message = "cachecheck.yaml:1:1: found a file that cannot be read (Is a directory), expected a map"
        #expect(outcome.text.contains(message), "\(outcome.text)")
    }

    @Test("What the command line has wrong is refused as without the file")
    func ownMistake() throws {
        let outcome = try run("run: {quiet: true}", ["run", "own", "--jobs", "0"])
        #expect(outcome.status == 64)
        #expect(!outcome.text.contains("cachecheck.yaml"), "\(outcome.text)")
    }

    @Test("--open needs an HTML report in a file")
    func open() throws {
        let outcome = try run("run: {open: true}", ["run", "own", "--report", "html"])
        #expect(outcome.status == 64)
        #expect(outcome.text.contains("--open requires --report html=FILE"), "\(outcome.text)")
    }
}
