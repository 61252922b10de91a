import HTTPServing
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Replies composed from an answer and a request")
struct ReplyComposerTests {
    private func reply(_ answer: Answer, _ request: ServedRequest) -> ComposedReply {
        let now = HTTPTimestamp(seconds: 1_767_225_600)
        let context = AnswerContext(request: request, now: now, startedAt: now.adding(-60))
        return ComposedReply.compose(answer, context, ContentStore(folder: nil), stall: Hold())
    }

    private func text(_ answer: Answer, _ request: ServedRequest) -> String {
        reply(answer, request).rendered().reduce(into: "") { text, step in
            if case .write(let bytes) = step { text += String(decoding: bytes, as: UTF8.self) }
        }
    }

    private func get(_ lines: ServedField..., method: String = "GET", isHTTP11: Bool = true) -> ServedRequest
    {
        ServedRequest(method: method, target: "/", fields: lines, isHTTP11: isHTTP11)
    }

    @Test("A 304 keeps the fields that guide the cache and omits other metadata")
    func fieldsOf304() {
        let answer = Answer.text("one") { answer in
            answer.fields = [
                FieldLine("Cache-Control", .text("max-age=60")),
                FieldLine("Content-Type", .text("text/plain")), FieldLine("Content-Language", .text("en")),
                FieldLine("Content-Encoding", .text("unheard-of")),
                FieldLine("Content-Location", .text("/x")), FieldLine("Expires", .text("0")),
                FieldLine("Vary", .text("A")), FieldLine("X-Own", .text("1")),
                FieldLine("Content-Length", .text("3")),
            ]
            answer.entityTag = .literal("\"v1\"")
            answer.lastModified = .offset(.seconds(-60))
        }
        let reply = reply(answer, get(ServedField("If-None-Match", "\"v1\"")))
        #expect(reply.head.status == 304)
        #expect(
            reply.head.fields.map(\.name)
                == ["Date", "Cache-Control", "Content-Location", "Expires", "Vary", "X-Own", "ETag"]
        )
    }

    @Test("A 304 without an entity tag keeps Last-Modified, relative to the script's start")
    func lastModifiedOf304() {
        let answer = Answer.with { $0.lastModified = .offset(.seconds(-60)) }
        let since = ServedField("If-Modified-Since", "Wed, 31 Dec 2025 23:58:00 GMT")
        let reply = reply(answer, get(since))
        #expect(reply.head.status == 304)
        #expect(reply.head.fields.combined("Last-Modified") == "Wed, 31 Dec 2025 23:58:00 GMT")
    }

    @Test("Preconditions are not evaluated if the script disables them or the answer is not a success")
    func ignoredPreconditions() {
        let match = ServedField("If-None-Match", "\"v1\"")
        var answer = Answer.with { $0.entityTag = .literal("\"v1\"") }
        answer.status = 404
        #expect(reply(answer, get(match)).head.status == 404)
        answer.status = 200
        answer.evaluatesPreconditions = false
        #expect(reply(answer, get(match)).head.status == 200)
    }

    @Test("A failed If-Match results in 412 without content")
    func failed() {
        let answer = Answer.text("one") { $0.entityTag = .literal("\"v1\"") }
        let expected =
            "HTTP/1.1 412 Precondition Failed\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nETag: \"v1\"\r\n"
            + "Content-Length: 0\r\n\r\n"
        #expect(text(answer, get(ServedField("If-Match", "\"v2\""))) == expected)
    }

    @Test("HEAD is answered with GET's fields and no content")
    func head() {
        let answer = Answer.text("one")
        let expected =
            "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: 3\r\n\r\n"
        #expect(text(answer, get(method: "HEAD")) == expected)
    }

    @Test(
        "The script's date is used",
        arguments: [
            (DateLine.none, nil), (.now, "Thu, 01 Jan 2026 00:00:00 GMT"),
            (.offset(.seconds(-60)), "Wed, 31 Dec 2025 23:59:00 GMT"), (.text("soon"), "soon"),
        ] as [(DateLine, String?)]
    )
    func date(line: DateLine, expected: String?) {
        let answer = Answer.with { $0.date = line }
        #expect(reply(answer, get()).head.fields.combined("Date") == expected)
    }

    @Test("Pieces become chunks of their sizes, and the rest one more")
    func chunks() {
        let answer = Answer.text("abcdef") { $0.chunks = [1, 2] }
        #expect(text(answer, get()).hasSuffix("chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n"))
    }

    @Test("HTTP/1.0 gets no chunks; the connection's end delimits the content")
    func oldVersion() {
        let answer = Answer.text("abc") { $0.framing = .chunked }
        let reply = reply(answer, get(isHTTP11: false))
        #expect(reply.ending == .close)
        #expect(reply.head.fields.combined("Transfer-Encoding") == nil)
        #expect(reply.head.fields.lines("Connection") == ["close"])
    }

    @Test("A response to HTTP/1.0 says that the connection persists, if the request asked for it")
    func persistence() {
        let asked = get(ServedField("Connection", "keep-alive"), isHTTP11: false)
        #expect(reply(.text("abc"), asked).head.fields.lines("Connection") == ["keep-alive"])
        #expect(reply(.text("abc"), get(isHTTP11: false)).head.fields.lines("Connection") == ["close"])
        #expect(reply(.text("abc"), get()).head.fields.lines("Connection").isEmpty)
        let unframed = Answer.text("abc") { $0.framing = .close }
        #expect(reply(unframed, asked).head.fields.lines("Connection") == ["close"])
    }

    @Test("A scripted length is sent unchanged, and a wrong one ends the connection")
    func lyingLength() {
        var answer = Answer.text("abc") { $0.fields = [FieldLine("content-length", .text("5"))] }
        #expect(reply(answer, get()).ending == .close)
        #expect(text(answer, get()).hasSuffix("content-length: 5\r\n\r\nabc"))
        answer.fields = [FieldLine("Content-Length", .text("3"))]
        #expect(reply(answer, get()).ending == .keepAlive)
    }

    @Test(
        "Gzip is used if it is accepted, with Vary in either case",
        arguments: [
            ("gzip", true), ("br, gzip;q=0.5", true), ("gzip;q=0", false), ("*", true), ("identity", false),
            ("*;q=0, gzip", true), ("x-gzip", true), ("deflate", false), ("gzip;q=high", false),
        ]
    )
    func gzip(accepted: String, isCoded: Bool) {
        let answer = Answer.text("one") { $0.gzip = .offered }
        let head = reply(answer, get(ServedField("Accept-Encoding", accepted))).head
        #expect((head.fields.combined("Content-Encoding") == "gzip") == isCoded)
        #expect(head.fields.combined("Vary") == "Accept-Encoding")
    }

    @Test("Content of more than 16 MiB is not coded")
    func largeGzip() {
        let large = Answer.with { ($0.body, $0.gzip) = (.generated(size: (16 << 20) + 1), .always) }
        #expect(reply(large, get()).head.fields.combined("Content-Encoding") == nil)
    }

    @Test("Without Accept-Encoding nothing is coded unless the script always codes")
    func unaskedGzip() {
        #expect(reply(.with { $0.gzip = .offered }, get()).head.fields.combined("Content-Encoding") == nil)
        let always = reply(.with { $0.gzip = .always }, get()).head
        #expect(always.fields.combined("Content-Encoding") == "gzip")
        #expect(always.fields.combined("Vary") == nil)
    }

    @Test("The MD5 tag is the quoted digest of the sent content")
    func md5() {
        let answer = Answer.text("abc") { $0.entityTag = .md5 }
        let tag = reply(answer, get()).head.fields.combined("ETag")
        #expect(tag == "\"900150983cd24fb0d6963f7d28e17f72\"")
    }

    @Test("A missing fixture immediately results in 500")
    func missingFixture() {
        #expect(reply(.with { $0.body = .file("none.jpg") }, get()).head.status == 500)
        #expect(reply(.with { $0.body = .file("../../etc/passwd") }, get()).head.status == 500)
    }

    @Test(
        "Generated content has the size that is asked for, and none if that is negative",
        arguments: [0, -1, 3]
    )
    func generated(size: Int) {
        let head = reply(.with { $0.body = .generated(size: size) }, get()).head
        #expect(head.fields.combined("Content-Length") == "\(max(size, 0))")
    }

    @Test("A line end in a scripted value cannot end the line")
    func injection() {
        let answer = Answer.with { $0.fields = [FieldLine("X", .text("a\r\nY: b"))] }
        #expect(text(answer, get()).contains("X: a  Y: b\r\n"))
    }

    @Test(
        "A status without content has no framing",
        arguments: [204, 304]
    )
    func noContent(status: Int) {
        let answer = Answer.text("abc") { $0.status = status }
        #expect(reply(answer, get()).head.fields.map(\.name) == ["Date"])
        #expect(text(answer, get()).hasSuffix("\r\n\r\n"))
    }

    @Test(
        "A connection ends after a request that asks for it, and after one in HTTP/1.0 that does not ask otherwise",
        arguments: [
            ([], true, false), (["close"], true, true), (["X, Close"], true, true), (["closed"], true, false),
            (["keep-alive"], true, false), ([], false, true), (["Keep-Alive"], false, false),
            (["x"], false, true), (["keep-alive, close"], false, true), (["x", "close"], true, true),
        ] as [([String], Bool, Bool)]
    )
    func closing(options: [String], isHTTP11: Bool, expected: Bool) {
        let lines = options.map { ServedField("Connection", $0) }
        var request = ServedRequest(method: "GET", target: "/", fields: lines, isHTTP11: isHTTP11)
        #expect(request.wantsClose == expected)
        request.endsConnection = true
        #expect(request.wantsClose)
    }

    @Test(
        "A framing that the script sets is sent unchanged, with the content that the script gives",
        arguments: [
            ([("Transfer-Encoding", "chunked")], Framing.chunked, true, "chunked", true),
            ([("Transfer-Encoding", "chunked")], .chunked, false, "identity", false),
            ([("Transfer-Encoding", "chunked")], .length, true, "identity", false),
            ([("Transfer-Encoding", "gzip")], .chunked, true, "identity", false),
            ([("Content-Length", "3")], .chunked, true, "identity", true),
            ([("Content-Length", "4")], .length, true, "identity", false),
            ([("Content-Length", "3"), ("Content-Length", "3")], .length, true, "identity", true),
            ([("Content-Length", "3"), ("Transfer-Encoding", "chunked")], .chunked, true, "identity", false),
            ([], .length, true, "identity", true), ([], .chunked, true, "chunked", true),
            ([], .chunked, false, "identity", false), ([], .close, true, "identity", false),
        ] as [([(String, String)], Framing, Bool, String, Bool)]
    )
    func framing(
        fields: [(String, String)],
        framing: Framing,
        isHTTP11: Bool,
        coding: String,
        persists: Bool
    ) {
        let answer = Answer.text("abc") { answer in
            answer.framing = framing
            answer.fields = fields.map { FieldLine($0.0, .text($0.1)) }
        }
        let asked = isHTTP11 ? [] : [ServedField("Connection", "keep-alive")]
        let request = ServedRequest(method: "GET", target: "/", fields: asked, isHTTP11: isHTTP11)
        let reply = reply(answer, request)
        #expect(reply.coding == (coding == "chunked" ? .chunked : .identity))
        #expect((reply.ending == .keepAlive) == persists)
        for (name, value) in fields { #expect(reply.head.fields.lines(name).contains(value)) }
    }

    @Test("A Date among the script's fields replaces the server's")
    func ownDate() {
        let answer = Answer.with { $0.fields = [FieldLine("date", .text("then"))] }
        #expect(reply(answer, get()).head.fields.lines("Date") == ["then"])
    }

    @Test("A validator that the script lists, too, is sent once, in its place")
    func listedValidator() {
        let answer = Answer.with { answer in
            answer.fields = [FieldLine("ETag", .text("\"v\"")), FieldLine("X", .text("1"))]
            answer.entityTag = .literal("\"v\"")
        }
        #expect(reply(answer, get()).head.fields.map(\.name).prefix(3) == ["Date", "ETag", "X"])
        #expect(reply(answer, get()).head.fields.lines("ETag") == ["\"v\""])
    }
}
