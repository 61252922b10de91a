import Conformance
import Testing

// docs/own-swift-cache.md shows this test and DictionaryCache.

@Suite("Example: a cache of yours under the scenarios", .timeLimit(.minutes(20)))
struct OwnCacheExampleTests {
    static let cache = InProcessSubject("DictionaryCache", capabilities: .removesAll) { DictionaryCache($0) }

    @Test(arguments: try Scenario.load("scenarios/http/controls").filter { $0.id.hasSuffix("/max-age") })
    func conforms(_ scenario: Scenario) async throws {
        let result = try await scenario.run(Self.cache)
        #expect(result.conforms, "\(result.explanation)")
    }

    @Test func storesSomething() async throws {
        var options = RunOptions(subject: .inProcess(Self.cache))
        options.jobs = options.subject.defaultJobs(cores: 2)
        let summary = try await Runner(try Scenario.load("scenarios/http/controls"), options: options).run()
        #expect(summary.hasReuse, "\(summary.line)")
    }

    @Test(
        "Each of the cache's five mistakes fails a scenario that names the rule",
        arguments: [
            ("http/field/keys/age-counts", "rfc9111.4.2.3.corrected"),
            ("http/4.1-vary/lines/third-line", "rfc9111.4.1.match"),
            ("http/3.2-updating/fields/updates-link", "rfc9111.3.2.replaces-fields"),
            ("http/5.2-directives/syntax/case-no-store", "rfc9111.5.2.case"),
            ("http/4.3.2-received-conditional/caller/from-store", "rfc9111.4.3.2.if-none-match"),
        ] as [(String, RuleID)]
    )
    func mistakes(id: String, rule: RuleID) async throws {
        let folder = "scenarios/" + id.split(separator: "/").prefix(2).joined(separator: "/")
        let scenario = try #require(try Scenario.load(folder).first { $0.id == id })
        let result = try await scenario.run { DictionaryCache($0) }
        #expect(!result.conforms)
        #expect(result.ruleIDs.contains(rule))
        #expect(result.explanation.contains("seen"))
    }
}
