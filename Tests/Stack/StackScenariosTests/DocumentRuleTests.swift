import CacheSemantics
import DocumentRules
import LocatedYAML
import Mutants
import Scenarios
import StackScenarios
import Testing
import TestSupport

@testable import Conformance

@Suite("The rules of the documents")
struct DocumentRuleTests {
    private static func catalogue() throws -> RuleCatalogue { try ScenarioLanguage.withStack().catalogue }

    @Test("The rules of events and tiers that decide what a subject must report exist")
    func reported() throws {
        let catalogue = try Self.catalogue()
        let missing = Scenario.rulesOfEvents.union(Scenario.rulesOfTiers).filter { catalogue[$0] == nil }
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test("Each section of the documents has all of its statements")
    func counts() throws {
        let documents = try Self.catalogue().rules.filter { !$0.isSpecification }
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
    func verdicts(verdict: DocumentVerdict, expected: Int) throws {
        #expect(try Self.catalogue().rules.count { $0.verdict == verdict } == expected)
    }

    @Test("Ids are unique, and every rule has a source and one sentence of at most 160 characters")
    func shape() throws {
        let rules = try Self.catalogue().rules
        #expect(Set(rules.map(\.id)).count == rules.count)
        for rule in rules {
            #expect(rule.sentence.hasSuffix("."), "\(rule.id)")
            #expect(!rule.source.isEmpty, "\(rule.id)")
            guard !rule.isSpecification else { continue }
            #expect(rule.sentence.count <= 160, "\(rule.id)")
            #expect(["wire", "api", "unit", "fs", "log", "conc"].contains(rule.kind), "\(rule.id)")
        }
    }

    @Test("A statement with an error in the documents is marked as corrected")
    func corrected() throws {
        let noCache = try #require(try Self.catalogue()["http.cache-control.no-cache"])
        #expect(noCache.isCorrected)
        #expect(noCache.level == .must)
        #expect(
            noCache.source == "Image caching in AFNetworking and SDWebImage compared: "
                + "First reprint: HTTP cache semantics, Second reprint: caching on disk"
        )
        #expect(try Self.catalogue()["http.cache-control.max-age"]?.isCorrected == false)
        #expect(try Self.catalogue()["http.cache-control.no-store"]?.isCorrected == false)
    }

    @Test("No rule is pending")
    func pending() throws {
        #expect(try Self.catalogue().rules.filter { $0.pending != nil }.map(\.id) == [])
    }

    @Test("Each document is described under its title, and has at least one rule")
    func documents() throws {
        let path = packageFolder + "/Sources/Stack/DocumentRules/document-rules.yaml"
        let file = try DocumentRules.decode(String(readingFile: path), file: path)
        let description = try String(readingFile: packageFolder + "/docs/documents.md")
        #expect(file.documents.count == 5)
        for title in file.documents {
            #expect(description.contains("\n## \(title)\n"), "\(title)")
            #expect(file.rules.contains { $0.source.contains("\(title): ") }, "\(title)")
        }
        #expect(file.rules == (try DocumentRules.load()))
    }

    @Test("Every mistake in a file of rules is reported with its position")
    func mistakes() {
        let text = """
            documents: [One, Two]
            rules:
              - {id: a, sentence: It holds., level: must, verdict: as stated, kind: wire, from: {One: [x, y], Two: z}}
              - {id: a, sentence: It holds., level: must, verdict: implied, kind: wire, from: {Three: x}}
              - {id: b, sentence: It holds., level: maybe, verdict: OK, kind: sound, from: One, note: n}
            """
        var report = ""
        do throws(YAMLProblems) {
            _ = try DocumentRules.decode(text, file: "f")
        } catch {
            report = error.description
        }
        #expect(
            report == """
                f:4:5: found the duplicate id "a", expected a unique id
                f:4:84: found the document "Three", expected a title of "documents"
                f:5:41: found "maybe", expected one of must, should, optimal, check
                f:5:57: found "OK", expected one of as stated, wrong, defective, ambiguous, advice, implied
                f:5:67: found "sound", expected one of wire, api, unit, fs, log, conc
                f:5:80: found "One", expected documents and their sections
                f:5:85: found unknown key "note" in a rule of the documents, expected one of id, sentence, level, verdict, kind, from, unviolable
                """
        )
    }

    @Test("A rule's source names each document with its sections")
    func source() throws {
        let text =
            "documents: [One, Two]\nrules:\n  - {id: a, sentence: It holds., level: should, verdict: implied, "
            + "kind: wire, from: {One: [x, y], Two: z}}\n"
        let rule = try #require(try DocumentRules.decode(text, file: "f").rules.first)
        #expect(rule.source == "One: x, y; Two: z")
        #expect(rule.level == .should && rule.verdict == .implied && rule.kind == "wire")
    }

    @Test("Every defect of a mutant breaks a rule of the language")
    func mutants() throws {
        let catalogue = try Self.catalogue()
        #expect(!Mutant.all.isEmpty)
        for mutant in Mutant.all {
            for rule in mutant.rules { #expect(catalogue[rule] != nil, "\(mutant.id): \(rule)") }
        }
    }
}
