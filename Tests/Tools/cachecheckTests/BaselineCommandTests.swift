import Testing
import TestSupport

@Suite("Baselines of cachecheck run", .timeLimit(.minutes(20)), .blocking)
struct BaselineCommandTests {
    @Test("A part of the scenarios that writes a baseline keeps the lines of the others")
    func part() throws {
        let program = try Program()
        try program.folder.write("s.yaml", Self.scenarios)
        let all = ["run", "s.yaml", "--cache", "private", "--quiet"]
        #expect(try program.run(all + ["--write-baseline", "known.txt"]).status == 0)
        let written = try #require(program.folder.text("known.txt"))
        #expect(written.contains("\ns/a [private]: ") && written.contains("\ns/b [private]: "), "\(written)")
        let part = all + ["--filter", "s/b", "--baseline", "known.txt", "--write-baseline", "known.txt"]
        #expect(try program.run(part).status == 0)
        #expect(program.folder.text("known.txt") == written)
        #expect(try program.run(all + ["--baseline", "known.txt"]).status == 0)
    }

    private static let scenarios = """
        suite: s
        scenarios:
          - {id: a, title: t, level: must, rules: [rfc9111.4.2.fresh], steps: [{request: {path: /x}, expect: {status: 404}}]}
          - {id: b, title: t, level: must, rules: [rfc9111.4.2.fresh], steps: [{request: {path: /x}, expect: {status: 404}}]}

        """
}
