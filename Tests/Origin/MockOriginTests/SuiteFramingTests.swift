import HTTPServing
import OriginScript
import Testing

@testable import MockOrigin

@Suite("The framing of the public suite's origin")
struct SuiteFramingTests {
    /// Fields of a test, and what the server adds and does.
    struct Row: Sendable, CustomTestStringConvertible {
        var fields: [SuiteField] = []
        var count: Int? = 5
        var request: [ServedField] = []
        let added: [String]
        var isChunked = false
        var closes = false

        var testDescription: String { "\(fields.map { "\($0.name): \($0.value.plainText)" }), \(added)" }
    }
    private static let persistent = ["Connection: keep-alive", "Keep-Alive: timeout=5"]

    @Test(
        "Length and persistence are added unless the test sets them, and wrong framing ends the connection",
        arguments: [
            Row(added: persistent + ["Content-Length: 5"]), Row(count: nil, added: persistent),
            Row(
                fields: [SuiteField("transfer-encoding", .text("gzip, Chunked"))],
                added: persistent,
                isChunked: true
            ),
            Row(
                fields: [SuiteField("Transfer-Encoding", .text("gzip"))],
                added: ["Connection: close"],
                closes: true
            ), Row(fields: [SuiteField("Transfer-Encoding", .text("gzip"))], count: nil, added: persistent),
            Row(
                fields: [
                    SuiteField("Transfer-Encoding", .text("chunked")),
                    SuiteField("Transfer-Encoding", .text("gzip")),
                ],
                added: ["Connection: close"],
                closes: true
            ), Row(fields: [SuiteField("content-length", .number(5))], added: persistent),
            Row(
                fields: [SuiteField("Content-Length", .number(6))],
                added: ["Connection: close"],
                closes: true
            ),
            Row(
                fields: [SuiteField("Content-Length", .number(5)), SuiteField("Content-Length", .number(5))],
                added: ["Connection: close"],
                closes: true
            ), Row(fields: [SuiteField("Content-Length", .number(6))], count: nil, added: persistent),
            Row(
                fields: [SuiteField("connection", .text("X, Close"))],
                added: ["Content-Length: 5"],
                closes: true
            ),
            Row(fields: [SuiteField("Connection", .text("x"))], added: ["Content-Length: 5"]),
            Row(
                fields: [SuiteField("keep-alive", .text("max=1"))],
                added: ["Connection: keep-alive", "Content-Length: 5"]
            ),
            Row(
                request: [ServedField("Connection", "close")],
                added: ["Connection: close", "Content-Length: 5"],
                closes: true
            ),
        ]
    )
    func framing(row: Row) {
        let request = ServedRequest(method: "GET", target: "/", fields: row.request)
        let framing = SuiteFraming(row.fields, contentCount: row.count, request)
        #expect(framing.fields.map { "\($0.name): \($0.value)" } == row.added)
        #expect((framing.coding == .chunked) == row.isChunked)
        #expect((framing.ending == .close) == row.closes)
    }

    @Test(
        "Fields are joined as Node does: by commas, cookies by semicolons, and of some the first line counts"
    )
    func node() {
        let fields = [
            ServedField("X-A", "1"), ServedField("Cookie", "a=1"), ServedField("Host", "one"),
            ServedField("x-a", "2"), ServedField("cookie", "b=2"), ServedField("host", "two"),
        ]
        let all = NodeFields.all(fields)
        #expect(all.map(\.name) == ["x-a", "cookie", "host"])
        #expect(all.map(\.value) == ["1, 2", "a=1; b=2", "one"])
        #expect(NodeFields.value(of: "X-a", in: fields) == "1, 2")
        #expect(NodeFields.value(of: "x-b", in: fields) == nil)
    }
}
