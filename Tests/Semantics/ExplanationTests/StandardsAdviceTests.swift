import CacheSemantics
import Explanation
import HTTPTypes
import Testing

@Suite("Explanations of dictionaries, digests, QUERY and Incremental, RFC 9842, 9530, 10008")
struct StandardsAdviceTests {
    static let rows = [
        AdviceRow(
            testDescription: "coded with a dictionary, without Vary",
            lines: ["Cache-Control: max-age=60", "Content-Encoding: dcb", "Vary: Accept-Encoding"],
            advised: ["dictionary-without-vary"],
            notAdvised: ["coding-without-vary"]
        ),
        AdviceRow(
            testDescription: "coded with a dictionary, with Vary",
            lines: [
                "Cache-Control: max-age=60", "Content-Encoding: gzip, DCZ",
                "Vary: accept-encoding, available-dictionary",
            ],
            notAdvised: ["dictionary-without-vary"]
        ),
        AdviceRow(
            testDescription: "coded with a dictionary, not stored",
            lines: ["Cache-Control: no-store", "Content-Encoding: dcb"],
            notAdvised: ["dictionary-without-vary"]
        ),
        AdviceRow(
            testDescription: "another coding",
            lines: ["Cache-Control: max-age=60", "Content-Encoding: br", "Vary: Accept-Encoding"],
            notAdvised: ["dictionary-without-vary"]
        ),
        AdviceRow(
            testDescription: "a dictionary that is fresh",
            lines: [
                "Cache-Control: max-age=60",
                "Use-As-Dictionary: match=\"/a/*\", match-dest=(\"script\"), id=\"1\"",
            ],
            notAdvised: ["dictionary-not-stored", "mistyped-member", "missing-member"]
        ),
        AdviceRow(
            testDescription: "a dictionary that may be served stale",
            lines: [
                "Cache-Control: max-age=0, stale-while-revalidate=60",
                "Use-As-Dictionary: match=\"/*\", type=raw",
            ],
            notAdvised: ["dictionary-not-stored", "mistyped-member"]
        ),
        AdviceRow(
            testDescription: "a dictionary that may not be served stale",
            lines: [
                "Cache-Control: max-age=0, must-revalidate, stale-while-revalidate=60",
                "Use-As-Dictionary: match=\"/*\"",
            ],
            advised: ["dictionary-not-stored"]
        ),
        AdviceRow(
            testDescription: "a dictionary that is validated before each use",
            lines: ["Cache-Control: no-cache, max-age=60", "Use-As-Dictionary: match=\"/*\""],
            advised: ["dictionary-not-stored"]
        ),
        AdviceRow(
            testDescription: "a dictionary that is not stored",
            lines: ["Cache-Control: no-store", "Use-As-Dictionary: match=\"/*\""],
            advised: ["dictionary-not-stored"]
        ),
        AdviceRow(
            testDescription: "a dictionary for nothing",
            lines: ["Cache-Control: max-age=60", "Use-As-Dictionary: id=\"1\""],
            advised: ["missing-member"]
        ),
        AdviceRow(
            testDescription: "a dictionary whose match is a token",
            lines: ["Cache-Control: max-age=60", "Use-As-Dictionary: match=all"],
            advised: ["mistyped-member"],
            notAdvised: ["missing-member"]
        ),
        AdviceRow(
            testDescription: "the digest of a 304",
            status: 304,
            lines: ["Content-Digest: sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"],
            advised: ["digest-of-nothing"],
            notAdvised: ["mistyped-member"]
        ),
        AdviceRow(
            testDescription: "a digest that is a string",
            lines: ["Repr-Digest: sha-256=\"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\""],
            advised: ["mistyped-member"]
        ),
        AdviceRow(
            testDescription: "media ranges of queries",
            lines: ["Accept-Query: \"application/jsonpath\", application/sql;charset=\"UTF-8\""],
            notAdvised: ["mistyped-member", "unparsable-field"]
        ),
        AdviceRow(
            testDescription: "a media range of queries that begins with a digit",
            lines: ["Accept-Query: 3gpp/sql"],
            advised: ["unparsable-field"]
        ),
        AdviceRow(
            testDescription: "a QUERY without type",
            method: .query,
            lines: ["Cache-Control: max-age=60"],
            advised: ["query-without-type"]
        ),
        AdviceRow(
            testDescription: "a QUERY without type that fails",
            method: .query,
            status: 400,
            lines: [],
            notAdvised: ["query-without-type"]
        ),
        AdviceRow(
            testDescription: "an Incremental that is a number",
            lines: ["Incremental: 1"],
            advised: ["mistyped-member"]
        ),
        AdviceRow(
            testDescription: "an Incremental with a parameter",
            lines: ["Incremental: ?1;x=2"],
            notAdvised: ["mistyped-member", "unparsable-field"]
        ),
    ]

    @Test(
        "A head gets the advice of the newer specifications if it violates them, and else not",
        arguments: rows
    )
    func advice(row: AdviceRow) {
        let ids = Set(row.explanation.advice.map(\.id))
        #expect(ids.isSuperset(of: row.advised), "\(ids)")
        #expect(ids.isDisjoint(with: row.notAdvised), "\(ids)")
    }

    @Test("A response to QUERY is found by a QUERY, and answers an equal one")
    func query() {
        let row = AdviceRow(
            testDescription: "",
            method: .query,
            request: [.contentType: "text/plain"],
            lines: ["Cache-Control: max-age=60"]
        )
        let explanation = row.explanation
        #expect(explanation.outcome == .served)
        #expect(
            explanation.statements.map(\.sentence).contains(
                "It is found by QUERY requests for http://a.example/p with the same content and fields of the content."
            )
        )
    }

    @Test(
        "A dictionary may be offered while it is fresh or may be served stale",
        arguments: [
            ("max-age=60", 10, "for 50 s"), ("max-age=60, stale-while-revalidate=20", 70, "for 10 s"),
            ("max-age=60", 60, "not"), ("max-age=60, stale-while-revalidate=20, must-revalidate", 60, "not"),
        ]
    )
    func dictionary(control: String, after: Int64, offer: String) {
        let row = AdviceRow(
            testDescription: "",
            after: after,
            lines: ["Cache-Control: \(control)", "Use-As-Dictionary: match=\"/*\""]
        )
        let expected =
            offer == "not"
            ? "It may not be offered as a dictionary." : "It may be offered as a dictionary \(offer)."
        #expect(row.explanation.statements.map(\.sentence).contains(expected))
    }
}
