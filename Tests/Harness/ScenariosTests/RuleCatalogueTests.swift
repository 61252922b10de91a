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

    @Test("A scenario is overstated that is stricter than every rule and every sentence that it cites")
    func overstated() throws {
        let citation = "because: {section: RFC 9111 §4, keyword: MUST NOT, sentence: a b c}"
        let text = """
            suite: s
            defaults: {level: must, rules: [rfc9111.4.2.4.disconnected]}
            scenarios:
              - {id: too-strict, title: t, steps: [idle]}
              - {id: right, title: t, level: optimal, steps: [idle]}
              - {id: with-another-rule, title: t, rules: [rfc9111.4.2.4.disconnected, rfc9111.4.2.fresh], steps: [idle]}
              - {id: with-reason, title: t, steps: [idle], \(citation)}
              - {id: with-weak-reason, title: t, steps: [idle], \(citation.replacing("MUST NOT", with: "SHOULD"))}
            """
        let suite = try ScenarioDecoder.decode(text: text, path: "f.yaml")
        let coverage = RuleCoverage(.standard, suites: [suite], tests: .init())
        #expect(
            coverage.overstated == [
                "f.yaml:4:5: f/too-strict, level must", "f.yaml:8:5: f/with-weak-reason, level must",
            ]
        )
    }

    @Test("A sentence that is cited has at most 25 words")
    func longCitation() {
        let sentence = Array(repeating: "word", count: 26).joined(separator: " ")
        let text = """
            suite: s
            scenarios:
              - id: a
                title: t
                level: must
                rules: [rfc9111.4.2.fresh]
                because: {section: RFC 9111 §4, keyword: MUST, sentence: \(sentence)}
                steps: [idle]
            """
        #expect(throws: (any Error).self) { try ScenarioDecoder.decode(text: text, path: "f.yaml") }
    }

    private func rule(_ id: String, pending: String? = nil) -> CatalogueRule {
        var rule = CatalogueRule(id: id, level: .must, source: "s", sentence: "It holds.")
        rule.pending = pending
        return rule
    }
}

@Suite("What the catalogue quotes of the specifications")
struct RuleQuotationTests {
    @Test("Every rule of an RFC quotes at most 25 words that contain the keyword", arguments: Rule.allCases)
    func quotation(rule: Rule) throws {
        guard rule.section.hasPrefix("RFC") else { return }
        let quotation = try #require(rule.quotation)
        #expect((1...25).contains(quotation.words.split(separator: " ").count))
        #expect(quotation.keyword == .definition || quotation.words.contains(quotation.keyword.rawValue))
        #expect(quotation.section.hasPrefix("RFC "))
    }

    @Test("No rule is stricter than the keyword of the sentence that it quotes", arguments: Rule.allCases)
    func level(rule: Rule) {
        switch rule.quotation?.keyword.level {
        case .should: #expect(rule.level != .must)
        case .optimal: #expect(rule.level != .must && rule.level != .should)
        case .must, .check, nil: break
        }
    }
}
