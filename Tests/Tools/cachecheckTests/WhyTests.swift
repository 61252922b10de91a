import Testing
import TestSupport

@Suite("cachecheck why", .timeLimit(.minutes(20)), .blocking)
struct WhyTests {
    private func program() throws -> Program {
        let program = try Program()
        try program.folder.write("own/s.yaml", Self.scenarios)
        return program
    }

    @Test(
        "A scenario that fails gives status 1, its rule, its lines, both ends of the exchange, and the bytes"
    )
    func failing() throws {
        let outcome = try program().run(["why", "b", "--scenarios", "own", "--cache", "private"])
        #expect(outcome.status == 1)
        for part in [
            "FAILED  s/b [private]\n", "RFC 9111 §4.2, must  (rfc9111.4.2.fresh)", "own/s.yaml:3:4",
            "steps: [{request: {path: /x}, expect: {status: 404}}]", "status: expected 404, seen 200",
            "< Cache-Control: max-age=60", "> Host: 127.0.0.1:PORT",
            "cachecheck why 's/b [private]' --scenarios own",
        ] {
            #expect(outcome.text.contains(part), "\(part) is missing in:\n\(outcome.text)")
        }
        #expect(!outcome.text.contains("[shared]"))
    }

    @Test("A scenario of any level that does not hold gives status 1")
    func optional() throws {
        #expect(try program().run(["why", "s/c [shared]", "--scenarios", "own"]).status == 1)
    }

    @Test("If a dependency does not pass, its details come first")
    func dependency() throws {
        let outcome = try program().run(["why", "s/d", "--scenarios", "own", "--cache", "shared"])
        #expect(outcome.status == 1)
        #expect(outcome.text.hasPrefix("FAILED  s/b [shared]\n"))
        #expect(outcome.text.contains("DEPENDENCY-FAILED  s/d [shared]"))
        #expect(outcome.text.contains("after s/b [shared]: fail"))
    }

    @Test(
        "An id that means no scenario, or several, is refused with what is meant",
        arguments: [
            (["why", "s/bb", "--scenarios", "own"], "Did you mean s/b?"),
            (["why", "same", "--scenarios", "own"], "2 scenarios end with \"same\": s/same, t/same"),
            (["why", "s/b [public]", "--scenarios", "own"], "expected an id such as a/b/c"),
            (["why", "s/b", "--subject", "proxy=http://127.0.0.1:9"], "requires --origin-port"),
            (["why", "s/b", "--origin-port", "9"], "only for subjects outside this process"),
        ]
    )
    func refused(arguments: [String], message: String) throws {
        let program = try program()
        try program.folder.write("own/t.yaml", Self.others)
        let outcome = try program.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.text.contains(message), "\(outcome.text)")
    }

    private static let scenarios = """
        suite: Mine
        scenarios:
         - id: b
           title: t
           level: must
           rules: [rfc9111.4.2.fresh]
           origin: [{answer: {fields: {Cache-Control: max-age=60}, body: one}}]
           steps: [{request: {path: /x}, expect: {status: 404}}]
         - {id: c, title: t, level: optimal, rules: [rfc9111.4.2.fresh], steps: [{request: {path: /x}, expect: {status: 201}}]}
         - {id: d, title: t, level: must, depends-on: [b], rules: [rfc9111.4.2.fresh], steps: [idle]}
         - {id: same, title: t, level: must, rules: [rfc9111.4.2.fresh], steps: [idle]}
        """
    private static let others = """
        suite: Others
        scenarios: [{id: same, title: t, level: must, rules: [rfc9111.4.2.fresh], steps: [idle]}]
        """
}
