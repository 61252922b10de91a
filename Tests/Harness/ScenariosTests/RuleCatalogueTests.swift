import CacheSemantics
import Scenarios
import Testing

@Suite("The catalogue of rules")
struct RuleCatalogueTests {
    @Test("Every rule of the engine is in the catalogue with its section and level")
    func engineRules() throws {
        for rule in Rule.allCases {
            let known = try #require(RuleCatalogue.standard[rule.rawValue])
            #expect(known.source == rule.section && known.level == rule.level)
        }
        let fresh = try #require(RuleCatalogue.standard["rfc9111.4.2.fresh"])
        #expect(fresh.source == "RFC 9111 §4.2")
        #expect(fresh.level == .must)
        #expect(fresh.isSpecification && !fresh.isCorrected)
    }

    @Test("A gateway's handling of ambiguous requests has its own rules, with the RFC's section")
    func messageRules() throws {
        let host = try #require(RuleCatalogue.standard["rfc9112.3.2.host"])
        #expect(host.source == "RFC 9112 §3.2")
        #expect(host.level == .must)
        #expect(RuleCatalogue.standard["rfc9112.6.1.unknown-coding"]?.level == .should)
    }

    @Test("Coverage distinguishes unchecked rules, checks of pending rules and unknown ids")
    func coverage() throws {
        let catalogue = RuleCatalogue([
            rule("a"), rule("b"), rule("c"), rule("p", pending: "later"), rule("q", pending: "later"),
            rule("rfc9111.4.2.fresh"),
        ])
        let text = "suite: s\nscenarios: [{id: x, title: t, level: must, rules: [a, q], steps: [idle]}]"
        let suite = try ScenarioDecoder.decode(
            text: text,
            path: "f.yaml",
            language: ScenarioLanguage(catalogue)
        )
        let tests = CheckedByTests(text: "# comment\nb Tests/B.swift\nb Tests/A.swift\nz Tests/A.swift\n")
        let coverage = RuleCoverage(catalogue, suites: [suite], tests: tests)
        #expect(coverage.unchecked == ["c", "rfc9111.4.2.fresh"])
        #expect(coverage.pendingButChecked == ["q"])
        #expect(coverage.unknown == ["z in Tests/A.swift"])
        #expect(!coverage.isComplete)
        #expect(coverage.entries[0].scenarios == ["f/x"])
        #expect(coverage.entries[1].tests == ["Tests/A.swift", "Tests/B.swift"])
        #expect(RuleCoverage(RuleCatalogue([rule("p", pending: "x")]), suites: [], tests: .init()).isComplete)
    }

    private func rule(_ id: String, pending: String? = nil) -> CatalogueRule {
        CatalogueRule(id: id, level: .must, source: "s", sentence: "It holds.", pending: pending)
    }
}
