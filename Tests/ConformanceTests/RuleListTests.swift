import CacheSemantics
import Conformance
import Scenarios
import Testing

@Suite("List of rules")
struct RuleListTests {
    private static let list: RuleList = {
        let rules = [
            CatalogueRule(id: "rfc1.2.one", level: .must, source: "RFC 1 §2", sentence: "It holds."),
            CatalogueRule(
                id: "documents.two",
                level: .must,
                source: "001:5",
                sentence: "It holds \"otherwise\".",
                verdict: .wrong
            ),
            CatalogueRule(
                id: "documents.three",
                level: .should,
                source: "001:6",
                sentence: "Later.",
                verdict: .implied,
                pending: "The next issue"
            ),
        ]
        let tests = CheckedByTests(text: "rfc1.2.one Tests/ATests.swift\n")
        return RuleList(
            RuleCoverage(RuleCatalogue(rules), suites: [], tests: tests),
            isIncluded: { _ in true }
        )
    }()

    @Test("the text names level, source, checks, marks and totals")
    func text() {
        #expect(
            Self.list.text == """
                rfc1.2.one  must, RFC 1 §2
                  It holds.
                  test Tests/ATests.swift
                documents.two  must, 001:5, corrected
                  It holds "otherwise".
                  NOT CHECKED
                documents.three  should, 001:6
                  Later.
                  pending: The next issue

                3 rules: 2 must, 1 should
                1 checked, 1 pending, 1 not checked, 1 corrected

                """
        )
    }

    @Test("the JSON has the same")
    func json() {
        #expect(
            Self.list.json.hasPrefix(
                "{\"rules\":[{\"id\":\"rfc1.2.one\",\"level\":\"must\",\"source\":\"RFC 1 §2\","
            )
        )
        #expect(
            Self.list.json.contains(
                "\"sentence\":\"It holds \\\"otherwise\\\".\",\"corrected\":true,\"pending\":null"
            )
        )
        #expect(
            Self.list.json.hasSuffix(
                "\"totals\":{\"rules\":3,\"checked\":1,\"pending\":1,\"unchecked\":1,\"corrected\":1}}\n"
            )
        )
    }
}
