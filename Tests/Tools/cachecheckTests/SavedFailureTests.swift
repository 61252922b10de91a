import LocatedYAML
import Testing
import TestSupport

@Suite("A failing case is one file", .timeLimit(.minutes(20)), .blocking)
struct SavedFailureTests {
    /// A random fault, a clock that is moved, and an expectation that no cache meets.
    private static let scenario = """
        suite: Broken
        defaults: {level: check, rules: [rfc9111.4.2.fresh], cache: [private]}
        scenarios:
          - id: breaks
            title: Nobody answers so
            faults:
              - {at: before-head, do: {delay: 1s..9s}}
              - {at: body, byte: 5..9, do: close, chance: 100%}
            origin:
              - answer: {fields: {Cache-Control: max-age=60}, body: '0123456789'}
            steps:
              - request: {path: /a}
                expect: {error: connection-lost}
              - advance: 30s
              - request: {path: /b}
                expect: {status: 200}
          - id: passes
            title: Everybody answers so
            origin:
              - answer: {body: hello}
            steps:
              - request: {path: /a}
                expect: {status: 200}
        """

    /// Runs the scenario and returns its saved case.
    private func saved(_ program: Program, seed: Int = 7) throws -> YAMLNode {
        try program.folder.write("broken.yaml", Self.scenario)
        let run = try program.run(["run", "broken.yaml", "--seed", "\(seed)", "--save-failure", "failures"])
        #expect(run.status == 0, "\(run.text)")
        #expect(program.folder.names(in: "failures") == [Self.name])
        #expect(run.text.contains("saved: cachecheck run failures/\(Self.name)"))
        let text = try #require(program.folder.text("failures/\(Self.name)"))
        return try YAMLNode.parse(json: text, file: Self.name)
    }

    private static let name = "broken-breaks-private.failure.json"

    @Test("It contains the scenario, the seed, the decisions, the clock, the exchanges and every version")
    func contents() throws {
        let file = try saved(try Program())
        #expect(file.value(of: "seed")?.scalarText == "7")
        #expect(file.value(of: "text")?.scalarText == Self.scenario)
        #expect(try #require(file.value(of: "decisions")?.elements).count >= 3)
        #expect(try #require(file.value(of: "clock")?.elements).count >= 2)
        #expect(file.value(of: "wire")?.scalarText?.count == 64)
        #expect(file.value(of: "subject")?.value(of: "choice")?.scalarText == "builtin")
        let entries = try #require(file.value(of: "har")?.value(of: "entries")?.elements)
        #expect(entries.count == 2)
        let versions = try #require(file.value(of: "versions")?.elements).compactMap(\.scalarText)
        for name in ["cachecheck 0.", "Swift ", "Linux ", "libmicrohttpd ", "libcurl ", "SQLite ", "GnuTLS "]
        {
            #expect(versions.contains { $0.hasPrefix(name) }, "\(name) in \(versions)")
        }
    }

    @Test("Failures whose ids differ late have files of their own, and so has each kind of cache")
    func longNames() throws {
        let program = try Program()
        let (first, second) = (
            String(repeating: "a", count: 90) + "-1", String(repeating: "a", count: 90) + "-2"
        )
        let scenarios = [first, second].map { id in
            """
              - id: \(id)
                title: Everybody fails
                origin: [{answer: {body: hello}}]
                steps:
                  - request: {path: /a}
                    expect: {status: 404}

            """
        }
        let head = "suite: Broken\ndefaults: {level: check, rules: [rfc9111.4.2.fresh]}\nscenarios:\n"
        try program.folder.write("broken.yaml", head + scenarios.joined())
        _ = try program.run(["run", "broken.yaml", "--save-failure", "failures"])
        #expect(program.folder.names(in: "failures").count == 4)
    }

    @Test("It is run again without the scenario's file: same decisions, same clock, same bytes")
    func reproduction() throws {
        let program = try Program()
        let digest = try #require(try saved(program).value(of: "wire")?.scalarText)
        try program.folder.write("broken.yaml", "gone")
        for _ in 0..<2 {
            let again = try program.run(["run", "failures/\(Self.name)"])
            #expect(
                again.text.contains("the bytes are the same as saved, wire SHA-256 \(digest)"),
                "\(again.text)"
            )
            #expect(again.text.contains("Reproduced the saved verdict: failed: "), "\(again.text)")
        }
    }

    @Test(
        "The first different decision, move of the clock or byte is named, and the run fails",
        arguments: [
            ("\"seed\": \"7\"", "\"seed\": \"8\"", "decisions line 1: found"),
            ("\"wire\": \"", "\"wire\": \"0", "wire: found SHA-256 0"),
            ("body: '0123456789'", "body: 'X123456789'", "wire: found SHA-256"),
            ("advance: 30s", "advance: 31s", "clock line"),
        ]
    )
    func difference(found: String, changed: String, told: String) throws {
        let program = try Program()
        _ = try saved(program)
        let text = try #require(program.folder.text("failures/\(Self.name)"))
        #expect(text.contains(found))
        try program.folder.write("other.failure.json", text.replacing(found, with: changed))
        let again = try program.run(["run", "other.failure.json"])
        #expect(again.status == 1, "\(again.text)")
        #expect(again.text.contains("other.failure.json: \(told)"), "\(again.text)")
    }

    @Test("It is run again with the subject that it was saved with, and what is missing for that is named")
    func subject() throws {
        let program = try Program()
        _ = try saved(program)
        let text = try #require(program.folder.text("failures/\(Self.name)"))
        let port = try OwnPort.next()
        let proxy = text.replacing(
            "\"choice\": \"builtin\"",
            with: "\"choice\": \"proxy=http://127.0.0.1:\(port)\""
        )
        try program.folder.write("proxy.failure.json", proxy)
        let without = try program.run(["run", "proxy.failure.json"])
        #expect(without.status == 64, "\(without.text)")
        #expect(without.text.contains("--origin-port"), "\(without.text)")
        let origin = try OwnPort.next()
        let unreachable = try program.run(["run", "proxy.failure.json", "--origin-port", "\(origin)"])
        #expect(unreachable.status == 69, "\(unreachable.text)")
        #expect(unreachable.text.contains("127.0.0.1:\(port)"), "\(unreachable.text)")
        let unknown = text.replacing("\"choice\": \"builtin\"", with: "\"choice\": \"other\"")
        try program.folder.write("unknown.failure.json", unknown)
        let refused = try program.run(["run", "unknown.failure.json"])
        #expect(refused.status == 65, "\(refused.text)")
        #expect(refused.text.contains("found the subject other"), "\(refused.text)")
    }

    @Test(
        "A malformed file is refused with its position",
        arguments: [("", "65"), ("{}", "65"), ("{\"seed\": \"x\"}", "65"), ("[1]", "65")]
    )
    func malformed(text: String, status: String) throws {
        let program = try Program()
        try program.folder.write("bad.failure.json", text)
        let run = try program.run(["run", "bad.failure.json"])
        #expect("\(run.status)" == status, "\(run.text)")
        #expect(run.text.contains("bad.failure.json:1:"), "\(run.text)")
    }
}
