import CacheSemantics
import Scenarios
import Testing

@Suite("The catalogue of rules")
struct RuleCatalogueTests {
    @Test("Each section of the documents has all of its statements")
    func counts() {
        let documents = RuleCatalogue.standard.rules.filter { !$0.isSpecification }
        func count(_ prefix: String) -> Int { documents.count { $0.id.hasPrefix(prefix) } }
        #expect(count("principle.") == 9)
        #expect(count("http.") == 25)
        #expect(count("mockserver.") == 19)
        #expect(count("urlcache.") - count("urlcache.policy.") == 33)
        #expect(count("urlcache.policy.") == 18)
        #expect(count("willcache.") == 12)
        #expect(count("customurlcache.") == 14)
        #expect(count("nscache.") == 6)
        #expect(count("af2.") == 23)
        #expect(count("afnetworking.image-downloader.") == 11)
        #expect(count("afnetworking.image-cache.") == 16)
        #expect(count("sdwebimage.slot.") == 21)
        #expect(count("sdwebimage.manager.") == 39)
        #expect(count("sdwebimage.downloader.") == 23)
        #expect(count("sdwebimage.operation.") == 25)
        #expect(count("sjnetwork.upload.") == 11)
        #expect(count("sjnetwork.download.") == 17)
        #expect(count("sjnetwork.control.") == 13)
        #expect(count("afexample.") == 3)
        #expect(count("sqfetch.") == 63)
        #expect(count("afnetworking.session.") == 15)
        #expect(count("afnetworking.http.") == 8)
        #expect(count("afnetworking.serial.") == 5)
        #expect(count("afnetworking.reachability.") == 2)
        #expect(count("sjnetwork.structure.") + count("sjnetwork.config.") == 19)
        #expect(count("sjnetwork.request.") == 4)
        #expect(count("sjnetwork.cache.") == 18)
        #expect(count("sjnetwork.cachemgmt.") == 19)
        #expect(count("sjnetwork.pool.") == 11)
        #expect(count("sjnetwork.log.") == 6)
        #expect(count("ytknetwork.") == 7)
        #expect(count("afnetworking.security.") == 2)
        #expect(documents.count == 559)
    }

    @Test(
        "Each verdict has as many statements as the documents give",
        arguments: [
            (.asStated, 425), (.wrong, 18), (.defective, 43), (.ambiguous, 10), (.implied, 40), (.advice, 23),
        ] as [(DocumentVerdict, Int)]
    )
    func verdicts(verdict: DocumentVerdict, expected: Int) {
        #expect(RuleCatalogue.standard.rules.count { $0.verdict == verdict } == expected)
    }

    @Test("Ids are unique, and every rule has a source and one sentence of at most 160 characters")
    func shape() {
        let rules = RuleCatalogue.standard.rules
        #expect(Set(rules.map(\.id)).count == rules.count)
        for rule in rules {
            #expect(rule.sentence.hasSuffix("."), "\(rule.id)")
            #expect(!rule.source.isEmpty, "\(rule.id)")
            guard !rule.isSpecification else { continue }
            #expect(rule.sentence.count <= 160, "\(rule.id)")
            #expect(["wire", "api", "unit", "fs", "log", "conc"].contains(rule.kind), "\(rule.id)")
        }
    }

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

    @Test("What a gateway makes of ambiguous requests has rules of its own, with the RFC's section")
    func messageRules() throws {
        let host = try #require(RuleCatalogue.standard["rfc9112.3.2.host"])
        #expect(host.source == "RFC 9112 §3.2")
        #expect(host.level == .must)
        #expect(RuleCatalogue.standard["rfc9112.6.1.unknown-coding"]?.level == .should)
    }

    @Test("A statement that the documents have wrong is marked as corrected")
    func corrected() throws {
        let noCache = try #require(RuleCatalogue.standard["http.cache-control.no-cache"])
        #expect(noCache.isCorrected)
        #expect(noCache.source == "001:1064,1159")
        #expect(RuleCatalogue.standard["http.cache-control.max-age"]?.isCorrected == false)
        #expect(RuleCatalogue.standard["http.cache-control.no-store"]?.isCorrected == false)
    }

    @Test("No rule waits for anything")
    func pending() {
        #expect(RuleCatalogue.standard.rules.filter { $0.pending != nil }.map(\.id) == [])
    }

    @Test("Coverage tells unchecked rules, checks of pending rules and unknown ids apart")
    func coverage() throws {
        let catalogue = RuleCatalogue([
            rule("a"), rule("b"), rule("c"), rule("p", pending: "later"), rule("q", pending: "later"),
            rule("rfc9111.4.2.fresh"),
        ])
        let text = "suite: s\nscenarios: [{id: x, title: t, level: must, rules: [a, q], steps: [idle]}]"
        let suite = try ScenarioDecoder.decode(text: text, path: "f.yaml", catalogue: catalogue)
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
