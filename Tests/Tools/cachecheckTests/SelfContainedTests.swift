import Testing
import TestSupport

@Suite("cachecheck in an empty folder, as a user runs it", .timeLimit(.minutes(20)), .blocking)
struct SelfContainedTests {
    @Test("Scenarios come with the program, with the positions that they have in the repository")
    func scenarios() throws {
        let outcome = try Program().run(["run", "./scenarios/http/4.2-freshness/", "--check"])
        #expect(outcome.status == 0, "\(outcome.text)")
        let everything = try Program().run(["run", "--check"])
        #expect(everything.status == 0, "\(everything.text)")
    }

    @Test("A folder named scenarios replaces all of them")
    func override() throws {
        let program = try Program()
        try program.folder.write("scenarios/mine.yaml", Self.scenario)
        let own = try program.run(["run", "--check"])
        #expect(own.text.contains("1 scenario"), "\(own.text)")
        let shipped = try program.run(["run", "scenarios/http"])
        #expect(shipped.status == 65)
        #expect(shipped.text.contains("scenarios/http:1:1: found no file or folder of this name"))
    }

    @Test("Drivers are listed, and fixtures/drivers of the current folder replaces them")
    func drivers() throws {
        let program = try Program()
        #expect(try program.run(["driver", "list"]).text.contains("\ncurl\n"))
        try program.folder.write("fixtures/drivers/README.md", "")
        try program.folder.write("fixtures/drivers/mine.driver.sh", "exit 1")
        #expect(try program.run(["driver", "list"]).text == "cachecheck\nmine\n")
    }

    @Test(
        "Files are exported, and those that exist are kept",
        arguments: [
            ("scenarios", "schema.json"), ("drivers", "nginx.conf"), ("schemas", "site.schema.json"),
            ("schemas", "run-report.schema.json"), ("schemas", "audit-report.schema.json"),
            ("ci", "shard.sh"),
        ]
    )
    func export(kind: String, name: String) throws {
        let program = try Program()
        let first = try program.run(["export", kind, "new/folder"])
        #expect(first.status == 0, "\(first.text)")
        #expect(first.text.hasSuffix("files written to new/folder\n"), "\(first.text)")
        #expect(program.folder.text("new/folder/\(name)")?.isEmpty == false)
        let second = try program.run(["export", kind, "new/folder"])
        #expect(second.status == 70)
        #expect(second.text.contains("nothing was written. --force replaces them."), "\(second.text)")
        #expect(try program.run(["export", kind, "new/folder", "--force"]).status == 0)
    }

    @Test("The client libraries of all languages or of one are written, and those that exist are kept")
    func clients() throws {
        let program = try Program()
        #expect(try program.run(["clients", "--out", "new"]).text == "3 files written to new\n")
        for name in ["cachecheck.py", "cachecheck_pytest.py", "cachecheck.mjs"] {
            #expect(program.folder.text("new/\(name)")?.contains("cachecheck") == true, "\(name)")
        }
        let one = try program.run(["clients", "javascript", "--out", "new"])
        #expect(one.status == 70)
        #expect(one.text.contains("new/cachecheck.mjs exists; nothing was written."), "\(one.text)")
        #expect(
            try program.run(["clients", "javascript", "--out", "other"]).text == "1 file written to other\n"
        )
        #expect(program.folder.text("other/cachecheck.py") == nil)
        #expect(try program.run(["clients"]).status == 64)
    }

    private static let scenario = """
        suite: s
        scenarios: [{id: a, title: t, level: must, rules: [rfc9111.4.2.fresh], steps: [idle]}]
        """
}
