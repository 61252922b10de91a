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

    @Test("implied rules of the documents come last, and only rules that a mutant violates count as checked")
    func documents() {
        let verdicts: [(String, DocumentVerdict)] = [
            ("a", .implied), ("b", .asStated), ("c", .ambiguous), ("d", .defective), ("e", .advice),
        ]
        var rules = verdicts.map { id, verdict in
            var rule = CatalogueRule(id: id, level: .must, source: "001:1", sentence: "It holds.")
            rule.verdict = verdict
            return rule
        }
        rules[3].unviolableReason = "The listing does not compile."
        let tests = CheckedByTests(text: "a Tests/ATests.swift\nb Tests/ATests.swift\n")
        // c no longer has a check, so what was recorded of it counts for nothing.
        let violations = RuleViolations(
            text: """
                # A comment.
                b\tSources/B.swift: a < b → a <= b\tTests.B/one
                c\tSources/C.swift: remove f()\tTests.C/two
                """
        )
        let coverage = RuleCoverage(RuleCatalogue(rules), suites: [], tests: tests, violations: violations)
        let text = RuleList(coverage, isIncluded: { _ in true }).text
        #expect(
            text == """
                b  must, 001:1, as stated
                  It holds.
                  test Tests/ATests.swift
                  violated by Sources/B.swift: a < b → a <= b
                  noticed by Tests.B/one
                c  must, 001:1, resolved
                  It holds.
                  violated by Sources/C.swift: remove f()
                  noticed by Tests.C/two
                  NOT CHECKED
                d  must, 001:1, corrected
                  It holds.
                  cannot be violated: The listing does not compile.
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
                1 of 4 stated, 1 of 1 implied are named by a scenario or a test
                1 are advice and 1 cannot be violated here; neither is counted below
                1 of 3 checked: a recorded mutant makes one of their checks fail

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
