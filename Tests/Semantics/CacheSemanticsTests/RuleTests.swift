import CacheSemantics
import Testing

@Suite("The catalogue of rules")
struct RuleTests {
    @Test("Every rule has a section, and a sentence with a full stop", arguments: Rule.allCases)
    func described(rule: Rule) {
        #expect(rule.section.contains("§") || rule.rawValue.hasPrefix("apple.policy."))
        #expect(rule.sentence.last == ".")
        #expect(rule.sentence.first?.isWhitespace == false)
        #expect(!rule.sentence.contains("  "))
    }

    @Test(
        "The section is derived from the id",
        arguments: [
            (Rule.freshWhileLifetimeExceedsAge, "RFC 9111 §4.2"), (.lifetimeMaxAge, "RFC 9111 §4.2.1"),
            (.requestOnlyIfCached, "RFC 9111 §5.2.1.7"), (.staleWhileRevalidate, "RFC 5861 §3"),
            (.policyReturnElseLoad, "Apple, NSURLRequest.CachePolicy"),
        ]
    )
    func section(rule: Rule, section: String) {
        #expect(rule.section == section)
    }

    @Test("No two rules have the same sentence")
    func sentences() {
        #expect(Set(Rule.allCases.map(\.sentence)).count == Rule.allCases.count)
    }

    @Test("A finding contains its numbers")
    func numbers() {
        let entry = stored("Cache-Control: max-age=60", "ETag: \"v1\"")
        let planned = CacheEngine().plan(request(), [entry], at: 61)
        let finding = planned.findings.first { $0.rule == .freshWhileLifetimeExceedsAge }
        #expect(finding?.held == false)
        #expect(finding?.detail == "age 61 s, lifetime 60 s from max-age")
    }
}
