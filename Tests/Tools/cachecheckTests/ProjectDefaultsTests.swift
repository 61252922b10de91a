import Testing
import TestSupport

@Suite("cachecheck.yaml", .timeLimit(.minutes(5)), .blocking)
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
        "What is wrong is refused with its place, what was found, and what was expected",
        arguments: [
            ("ran: {}", "cachecheck.yaml:1:1: found \"ran\", expected one of "),
            ("run:\n  lvel: must", "cachecheck.yaml:2:3: found \"lvel\", expected \"level\""),
            ("run: {quiet: 3}", "cachecheck.yaml:1:14: found \"3\", expected true or false"),
            (
                "run: {level: {a: b}}",
                "cachecheck.yaml:1:14: found a map, expected a value or a list of values"
            ),
            ("run: 3", "cachecheck.yaml:1:6: found \"3\", expected a map of options"),
            ("[run]", "cachecheck.yaml:1:1: found a list, expected a map of subcommands"),
            ("run: {", "cachecheck.yaml:"),
        ]
    )
    func refused(file: String, message: String) throws {
        let outcome = try run(file, ["run", "own"])
        #expect(outcome.status == 65)
        #expect(outcome.text.contains(message), "\(outcome.text)")
    }

    @Test("--open needs an HTML report in a file")
    func open() throws {
        let outcome = try run("run: {open: true}", ["run", "own", "--report", "html"])
        #expect(outcome.status == 64)
        #expect(outcome.text.contains("--open requires --report html=FILE."), "\(outcome.text)")
    }
}
