import CacheSemantics
import Conformance
import Scenarios
import Testing

@Suite("List of rules")
struct RuleListTests {
    private static let list: RuleList = {
        var rules = [
            CatalogueRule(id: "rfc1.2.one", level: .must, source: "RFC 1 §2", sentence: "It holds."),
            CatalogueRule(
                id: "documents.two",
                level: .must,
                source: "001:5",
                sentence: "It holds \"otherwise\"."
            ),
            CatalogueRule(id: "documents.three", level: .should, source: "001:6", sentence: "Later."),
        ]
        rules[1].verdict = .wrong
        (rules[2].verdict, rules[2].pending) = (.implied, "The next issue")
        let tests = CheckedByTests(text: "rfc1.2.one Tests/ATests.swift\n")
        return RuleList(
            RuleCoverage(RuleCatalogue(rules), suites: [], tests: tests),
            isIncluded: { _ in true }
        )
    }()

    @Test("the text contains level, source, checks, marks and totals")
    func text() {
        #expect(
            Self.list.text == """
                rfc1.2.one  must, RFC 1 §2
                  It holds.
                  test Tests/ATests.swift
                documents.two  must, 001:5, corrected
                  It holds "otherwise".
                  NOT CHECKED
                documents.three  should, 001:6, implied
                  Later.
                  pending: The next issue

                3 rules: 2 must, 1 should
                1 checked, 1 pending, 1 not checked, 1 corrected

                """
        )
    }

    @Test("implied rules of the documents come last, and the end says how many of all are checked")
    func documents() {
        let verdicts: [(String, DocumentVerdict)] = [
            ("a", .implied), ("b", .asStated), ("c", .ambiguous), ("d", .defective), ("e", .advice),
        ]
        let rules = verdicts.map { id, verdict in
            var rule = CatalogueRule(id: id, level: .must, source: "001:1", sentence: "It holds.")
            rule.verdict = verdict
            return rule
        }
        let tests = CheckedByTests(text: "a Tests/ATests.swift\nb Tests/ATests.swift\n")
        let coverage = RuleCoverage(RuleCatalogue(rules), suites: [], tests: tests)
        let text = RuleList(coverage, isIncluded: { _ in true }).text
        #expect(
            text == """
                b  must, 001:1, as stated
                  It holds.
                  test Tests/ATests.swift
                c  must, 001:1, resolved
                  It holds.
                  NOT CHECKED
                d  must, 001:1, corrected
                  It holds.
                  NOT CHECKED
                e  must, 001:1, advice
                  It holds.
                  NOT CHECKED

                Implied, not stated:

                a  must, 001:1, implied
                  It holds.
                  test Tests/ATests.swift

                5 rules: 5 must
                2 checked, 0 pending, 3 not checked, 2 corrected
                1 of 4 stated, 1 of 1 implied
                2 of 5

                """
        )
    }

    @Test("the JSON contains the same")
    func json() {
        #expect(
            Self.list.json.hasPrefix(
                "{\"rules\":[{\"id\":\"rfc1.2.one\",\"level\":\"must\",\"source\":\"RFC 1 §2\","
            )
        )
        #expect(
            Self.list.json.contains(
                "\"sentence\":\"It holds \\\"otherwise\\\".\",\"corrected\":true,\"verdict\":\"corrected\",\"pending\":null"
            )
        )
        #expect(
            Self.list.json.hasSuffix(
                "\"totals\":{\"rules\":3,\"checked\":1,\"pending\":1,\"unchecked\":1,\"corrected\":1}}\n"
            )
        )
    }
}
