import HTTPServing
import JSON
import Testing

@testable import MockOrigin

@Suite("Content of requests in the record")
struct RequestContentTests {
    private func content(_ type: String, _ body: String) -> RequestContent {
        RequestContent(
            ServedRequest(
                method: "POST",
                target: "/post",
                fields: [ServedField("Content-Type", type)],
                body: Array(body.utf8)
            )
        )
    }

    @Test("A form is decoded, a repeated name gets a list, a plus sign is a space")
    func form() {
        let content = content(
            "application/x-www-form-urlencoded; charset=utf-8",
            "username=Castie%21&a=1&a=2&b=x+y&c"
        )
        #expect(
            content
                == .form([
                    .init("username", ["Castie!"]), .init("a", ["1", "2"]), .init("b", ["x y"]),
                    .init("c", [""]),
                ])
        )
    }

    @Test("A malformed escape in a form stays as it was sent")
    func malformedForm() {
        #expect(content("application/x-www-form-urlencoded", "a=%zz") == .form([.init("a", ["%zz"])]))
    }

    @Test(
        "JSON is distinguished from other content",
        arguments: [
            (
                #"{"a": [1, -2.5e+3, "x\u00e9\n", true, null], "b": {}}"#,
                ["a": [1, -2500.0, "xé\n", true, nil], "b": [:]]
            ),
            ("[]", []), ("0", 0), (" \"x\" ", "x"), ("{", nil), ("[1,]", nil), ("01", nil), ("{'a':1}", nil),
            ("1 2", nil), ("\"\u{1}\"", nil), ("\"\\x\"", nil), ("\"\\u12g4\"", nil), ("nul", nil),
            (String(repeating: "[", count: 100_000), nil),
        ] as [(String, JSONValue?)]
    )
    func json(text: String, value: JSONValue?) {
        let expected = value.map(RequestContent.json) ?? .malformed("The content is not JSON.")
        #expect(content("application/json", text) == expected)
    }

    @Test("The parts of a multipart form keep their names and bytes")
    func multipart() {
        let body =
            "preamble\r\n--B \t\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--B\r\n"
            + "content-disposition: form-data; name=f; filename=\"x.txt\"\r\nContent-Type: text/plain\r\n\r\n"
            + "l1\r\n--Bl2\r\n\r\n--B--\r\nepilogue"
        let parts: [RequestContent.Part] = [
            .init(name: "a", fileName: nil, contentType: nil, body: Array("one".utf8)),
            .init(
                name: "f",
                fileName: "x.txt",
                contentType: "text/plain",
                body: Array("l1\r\n--Bl2\r\n".utf8)
            ),
        ]
        #expect(content("multipart/form-data; boundary=B", body) == .parts(parts))
    }

    @Test(
        "A part's names end at their closing quote, whatever they contain",
        arguments: [
            (#"form-data; name="f"; filename="x;y.txt""#, "f", "x;y.txt"),
            (#"form-data; filename="a\"b\\"; name=f"#, "f", #"a"b\"#),
            (#"form-data; NAME="a=b" ; filename="""#, "a=b", ""),
        ]
    )
    func names(disposition: String, name: String, fileName: String) {
        let body = "--B\r\nContent-Disposition:\(disposition)\r\nContent-Type:text/plain\r\n\r\n1\r\n--B--"
        let part = RequestContent.Part(
            name: name,
            fileName: fileName,
            contentType: "text/plain",
            body: [0x31]
        )
        #expect(content("multipart/form-data; boundary=B", body) == .parts([part]))
    }

    @Test("A form with very many names is parsed in one pass")
    func largeForm() {
        let text = (0..<50_000).map { "name\($0)=1" }.joined(separator: "&")
        guard case .form(let fields) = content("application/x-www-form-urlencoded", text) else {
            Issue.record("no form")
            return
        }
        #expect(fields.count == 50_000)
    }

    @Test(
        "A malformed multipart form has a reason",
        arguments: [
            ("multipart/form-data", "x", "The multipart type has no boundary."),
            (
                "multipart/form-data; boundary=B", "--B\r\n\r\nx",
                "The multipart content has no closing boundary."
            ),
        ]
    )
    func malformedMultipart(type: String, body: String, problem: String) {
        #expect(content(type, body) == .malformed(problem))
    }

    @Test("JSON is read up to a depth of 256", arguments: [(256, true), (257, false)])
    func depth(depth: Int, isRead: Bool) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let content = content("application/json", text)
        #expect((content != .malformed("The content is not JSON.")) == isRead)
    }
}
