import CLibrary
import CacheGateway
import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("A gateway changes no byte unnecessarily, RFC 9110 §7.7, §15.2", .timeLimit(.minutes(20)), .blocking)
struct PassingTests {
    private static let fields: [FieldLine] = [
        FieldLine("Set-Cookie", .text("a=1")), FieldLine("Set-Cookie", .text("b=2; Path=/")),
        FieldLine("X-List", .text("1")), FieldLine("x-list", .text("2")), FieldLine("X-Empty", .text("")),
        FieldLine("X-UTF", .text("grün")),
    ]

    @Test("Repeated, empty and non-ASCII fields arrive in order and unchanged, from origin and store")
    func fields() throws {
        let fixture = try GatewayFixture(.fresh("x") { $0.fields += Self.fields })
        for _ in 1...2 {
            let response = try fixture.ask()
            let names = Set(Self.fields.map(\.name))
            let passed = response.fields.filter { names.contains($0.name) }
            #expect(
                passed.map(\.name) == ["Set-Cookie", "Set-Cookie", "X-List", "x-list", "X-Empty", "X-UTF"]
            )
            #expect(passed.map(\.value) == ["a=1", "b=2; Path=/", "1", "2", "", "grün"])
        }
    }

    @Test(
        "Cookies in several lines are forwarded to the origin in one",
        arguments: [["a=1; b=2"], ["a=1", "b=2"]]
    )
    func cookies(values: [String]) throws {
        let fixture = try GatewayFixture(.fresh("x"))
        #expect(try fixture.ask("GET", "/1", values.map { "Cookie: " + $0 }).status == 200)
        let cookies = fixture.namespace.record()[0].fields.filter { $0.name == "Cookie" }
        #expect(cookies.map(\.value) == ["a=1; b=2"])
    }

    @Test("A request's ISO-8859-1 byte reaches the origin unchanged")
    func latin() throws {
        let fixture = try GatewayFixture(.fresh("x"))
        let client = try fixture.client()
        let head = "GET \(fixture.target()) HTTP/1.1\r\nHost: a\r\nX-Name: gr"
        try client.send(Array(head.utf8) + [0xFC] + Array("n\r\n\r\n".utf8))
        #expect(try client.response().status == 200)
        // The origin decodes bytes that are not UTF-8 as ISO-8859-1.
        #expect(fixture.namespace.record()[0].fields.first { $0.name == "X-Name" }?.value == "grün")
    }

    @Test("A custom status and reason are forwarded", arguments: [(999, "Odd"), (299, "Fine so far")])
    func status(code: Int, reason: String) throws {
        let fixture = try GatewayFixture(
            .fresh("x") { answer in
                answer.status = code
                answer.reason = reason
            }
        )
        #expect(try fixture.ask().statusLine == "HTTP/1.1 \(code) \(reason)")
    }

    @Test("Interim responses precede the final one and are not stored; an HTTP/1.0 client gets none")
    func interim() throws {
        let fixture = try GatewayFixture(
            .fresh("x") { answer in
                answer.interim = [
                    InterimAnswer(status: 102),
                    InterimAnswer(status: 103, fields: [FieldLine("Link", .text("</a>"))]),
                ]
            }
        )
        let client = try fixture.client()
        try client.request("GET", fixture.target())
        #expect(try client.response().status == 102)
        let early = try client.response()
        #expect(early.status == 103 && early["Link"] == "</a>")
        #expect(try client.response().text == "x")
        try client.request("GET", fixture.target())
        #expect(try client.response().status == 200)
        let old = try fixture.client()
        try old.send("GET \(fixture.target("/2")) HTTP/1.0\r\n\r\n")
        #expect(try old.response().status == 200)
    }

    @Test("A response without Date gets one")
    func date() throws {
        let fixture = try GatewayFixture(.fresh("x") { $0.date = .none })
        #expect(try fixture.ask()["Date"]?.hasSuffix("GMT") == true)
        #expect(try fixture.ask()["Date"]?.hasSuffix("GMT") == true)
    }

    @Test("Coded content is forwarded unchanged, and redirects are not followed")
    func untouched() throws {
        let fixture = try GatewayFixture(
            .fresh(String(repeating: "a", count: 2_000)) { $0.gzip = .always },
            .fresh("moved") { answer in
                answer.status = 302
                answer.fields.append(FieldLine("Location", .text("/elsewhere")))
            }
        )
        let coded = try fixture.ask("GET", "/1")
        #expect(coded["Content-Encoding"] == "gzip")
        #expect(coded.body.prefix(2) == [0x1F, 0x8B])
        #expect(try fixture.ask("GET", "/1").body == coded.body)
        let redirect = try fixture.ask("GET", "/2")
        #expect(redirect.status == 302 && redirect["Location"] == "/elsewhere")
    }

    @Test("Content of unknown length is sent in chunks, to an HTTP/1.0 client until the end")
    func chunks() throws {
        let fixture = try GatewayFixture(
            .fresh("hello") { answer in
                answer.fields = [FieldLine("Cache-Control", .text("no-store"))]
                answer.framing = .chunked
            }
        )
        let response = try fixture.ask()
        #expect(response["Transfer-Encoding"] == "chunked" && response.text == "hello")
        let client = try fixture.client()
        try client.send("GET \(fixture.target()) HTTP/1.0\r\n\r\n")
        #expect(String(decoding: try client.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\nhello"))
    }

    @Test(
        "Truncated content that ends with the connection is followed by a reset, not by an end like that of complete content"
    )
    func truncated() throws {
        let origin = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        }
        defer { origin.stop() }
        let fixture = try GatewayFixture([]) { $0.mode = .reverse(origin: origin.url) }
        let client = try fixture.client()
        try client.send("GET /a HTTP/1.0\r\n\r\n")
        let failure = #expect(throws: RawClient.Failure.self) { try client.readToEnd() }
        #expect(failure?.code == ECONNRESET)
    }

    @Test("An expectation of 100 (Continue) is forwarded with content, and dropped without, RFC 9110 §10.1.1")
    func expectation() throws {
        let fixture = try GatewayFixture(.fresh("x"), .fresh("x"))
        let client = try fixture.client()
        try client.request("GET", fixture.target("/1"), ["Expect: 100-continue"])
        #expect(try client.response().status == 200)
        #expect(!fixture.namespace.record()[0].fields.contains { $0.name == "Expect" })
    }
}
