import Clocks
import HTTPServing
import MockOrigin
import OriginScript
import PublicSuite
import Testing
import TestSupport

@Suite("The public suite's wire protocol at the origin", .timeLimit(.minutes(20)), .blocking)
struct SuiteServerTests {
    @Test("A test is configured once, with PUT")
    func configuring() throws {
        let fixture = try SuiteFixture()
        #expect(try fixture.put("a", "[{}]").text == "OK")
        #expect(try fixture.put("a", "[{}]").status == 409)
        #expect(try fixture.ask("POST", "/config/b").status == 405)
    }

    @Test(
        "Bad input results in 400 and the server continues",
        arguments: [
            "", "[{", "{}", "[1]", "[{\"response_headers\":[[\"a\"]]}]",
            "[{\"response_headers\":[[\"a b\",\"c\"]]}]",
            "[{\"response_headers\":[[\"a\",\"b\\nc\"]]}]", "[{\"response_status\":[42,\"x\"]}]",
            "[{\"expected_type\":\"etag_validated\"}]", "[{},{\"expected_type\":\"lm_validated\"}]",
            "[{\"response_pause\":-1}]",
        ]
    )
    func badInput(body: String) throws {
        let fixture = try SuiteFixture()
        #expect(try fixture.put("a", body).status == 400)
        #expect(try fixture.put("a", "[{}]").status == 201)
    }

    @Test(
        "An unknown resource is 404, except a test, which is 409",
        arguments: [
            ("/test", 404), ("/test/", 404), ("/test/none", 409), ("/state/none", 404), ("/config", 404),
            ("//config/a", 404), ("/", 404), ("/elsewhere", 404),
        ]
    )
    func unknown(target: String, status: Int) throws {
        #expect(try SuiteFixture().ask("GET", target).status == status)
    }

    @Test("Req-Num selects the element, or without it the number of requests")
    func choosing() throws {
        let fixture = try SuiteFixture()
        _ = try fixture.put(
            "a",
            #"[{"response_body":"one"},{"response_body":"two"},{"response_body":"three"}]"#
        )
        #expect(
            try ["3abc", " 1", "0"].map { try fixture.get("a", number: $0).text } == [
                "three", "one", "three",
            ]
        )
        #expect(
            try ["x", "", "-1", "4"].map { try fixture.get("a", number: $0).status } == [409, 409, 409, 409]
        )
    }

    @Test("The head has the order and the case of the suite's own server")
    func head() throws {
        let fixture = try SuiteFixture()
        _ = try fixture.put(
            "a",
            #"[{"response_headers":[["X-a","1"],["Expires",60],["x-A","2"],["Vary",""]],"response_status":[299,"Fine so"]}]"#
        )
        let client = try fixture.client()
        try client.request("GET", "/test/a/f?q=1", ["Req-Num: 1"])
        #expect(
            try client.read(through: "\r\n\r\n")
                == "HTTP/1.1 299 Fine so\r\nServer-Base-Url: /test/a/f?q=1\r\nServer-Request-Count: 1\r\n"
                + "Client-Request-Count: 1\r\nServer-Now: 1767225600000\r\nx-A: 1\r\nx-A: 2\r\n"
                + "Expires: Thu, 01 Jan 2026 00:01:00 GMT\r\nVary: \r\nContent-Type: text/plain\r\n"
                + "Request-Numbers: 1\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nConnection: keep-alive\r\n"
                + "Keep-Alive: timeout=5\r\nContent-Length: 1\r\n\r\n"
        )
        #expect(try client.read(count: 1) == Array("a".utf8))
    }

    @Test("A test that sets Keep-Alive gets no other value of it")
    func ownKeepAlive() throws {
        let fixture = try SuiteFixture()
        _ = try fixture.put("a", #"[{"response_headers":[["Keep-Alive","max=5"]]}]"#)
        let answer = try fixture.get("a")
        #expect(answer.fields.filter { $0.name == "Keep-Alive" }.map(\.value) == ["max=5"])
        #expect(answer["Connection"] == "keep-alive")
    }

    @Test("Dates are written once: a repeat sends the same")
    func frozenDates() throws {
        let fixture = try SuiteFixture()
        _ = try fixture.put("a", #"[{"response_headers":[["Expires",0]]}]"#)
        _ = try fixture.get("a")
        fixture.clock.advance(by: .seconds(100))
        let second = try fixture.get("a")
        #expect(second["Expires"] == "Thu, 01 Jan 2026 00:00:00 GMT")
        #expect(second["Server-Now"] == "1767225700000")
    }

    @Test(
        "A location is below the request's target, and a repeat adds the prefix again unless strict",
        arguments: [(SuiteDialect.compatible, "/test/a//test/a/x"), (.strict, "/test/a/x")]
    )
    func locations(dialect: SuiteDialect, second: String) throws {
        let fixture = try SuiteFixture(dialect)
        _ = try fixture.put("a", #"[{"magic_locations":true,"response_headers":[["Location","x"]]}]"#)
        #expect(try fixture.get("a")["Location"] == "/test/a/x")
        #expect(try fixture.get("a")["Location"] == second)
    }

    @Test("A validator is confirmed if it equals the text that was sent before, otherwise the status is 999")
    func validation() throws {
        let fixture = try SuiteFixture()
        _ = try fixture.put(
            "a",
            #"[{"response_headers":[["ETag","\"v\""],["Last-Modified",-9]]},{"expected_type":"lm_validated"}]"#
        )
        // Before it is sent, the date is still a number.
        #expect(
            try fixture.get("a", number: "2", ["If-Modified-Since: Wed, 31 Dec 2025 23:59:51 GMT"]).status
                == 999
        )
        _ = try fixture.get("a", number: "1")
        let confirmed = try fixture.get(
            "a",
            number: "2",
            ["If-Modified-Since: Wed, 31 Dec 2025 23:59:51 GMT"]
        )
        #expect(confirmed.status == 304)
        #expect(confirmed["Content-Length"] == nil)
        #expect(try fixture.get("a", number: "2", ["If-None-Match: \"v\""]).status == 304)
        #expect(try fixture.get("a", number: "2", ["If-None-Match: W/\"v\""]).status == 999)
        #expect(try fixture.get("a", number: "2").status == 999)
    }

    @Test(
        "A non-ASCII value is ISO-8859-1, but UTF-8 with content unless strict",
        arguments: [(SuiteDialect.compatible, [0xC3, 0xBC] as [UInt8]), (.strict, [0xFC])]
    )
    func encodings(dialect: SuiteDialect, bytes: [UInt8]) throws {
        let fixture = try SuiteFixture(dialect)
        _ = try fixture.put(
            "a",
            #"[{"response_headers":[["A","\u00fc"]]},{"response_headers":[["A","\u00fc"]]}]"#
        )
        let client = try fixture.client()
        try client.request("GET", "/test/a", ["Req-Num: 1"])
        _ = try client.read(through: "\r\nA: ")
        #expect(try client.read(count: bytes.count) == bytes)
        _ = try client.read(through: "\r\n\r\na")
        try client.request("HEAD", "/test/a", ["Req-Num: 2"])
        _ = try client.read(through: "\r\nA: ")
        #expect(try client.read(count: 1) == [0xFC])
    }

    @Test("Interim responses come first: 102 without fields, 103 with its link first, others not at all")
    func interim() throws {
        let fixture = try SuiteFixture()
        _ = try fixture.put(
            "a",
            #"[{"interim_responses":[[102],[103,[["x","1"],["link","</a>"]]],[103,[["x","1"]]],[199]]}]"#
        )
        let client = try fixture.client()
        try client.request("GET", "/test/a")
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 102 Processing\r\n\r\n")
        #expect(
            try client.read(through: "\r\n\r\n") == "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nx: 1\r\n\r\n"
        )
        #expect(try client.response().status == 200)
    }

    @Test("Content with the chunked coding is one chunk")
    func chunk() throws {
        let fixture = try SuiteFixture()
        _ = try fixture.put(
            "a",
            #"[{"response_headers":[["Transfer-Encoding","chunked"]],"response_body":"0123456789"}]"#
        )
        let client = try fixture.client()
        try client.request("GET", "/test/a")
        _ = try client.read(through: "\r\n\r\n")
        #expect(try client.read(through: "\r\n\r\n") == "a\r\n0123456789\r\n0\r\n\r\n")
    }

    @Test("A wrong length or coding is sent unchanged, and the connection ends")
    func lies() throws {
        let fixture = try SuiteFixture()
        let fields = ["[\"Content-Length\",\"10\"]", "[\"Transfer-Encoding\",\"x\"]"]
        for (index, field) in fields.enumerated() {
            _ = try fixture.put(
                "a\(index)",
                "[{\"response_headers\":[\(field)],\"response_body\":\"0123456789abcdef\"}]"
            )
            let client = try fixture.client()
            try client.request("GET", "/test/a\(index)")
            let all = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(all.hasSuffix("\r\n\r\n0123456789abcdef"))
            #expect(all.contains(index == 0 ? "Content-Length: 10\r\n" : "Transfer-Encoding: x\r\n"))
            #expect(!all.contains("Content-Length: 16"))
        }
    }

    @Test("A disconnect is recorded and nothing is sent")
    func disconnect() throws {
        let fixture = try SuiteFixture()
        _ = try fixture.put("a", #"[{"disconnect":true}]"#)
        let client = try fixture.client()
        try client.request("GET", "/test/a", ["Req-Num: 1"])
        #expect(try client.isAtEnd())
        #expect(fixture.server.state(of: "a").map(\.requestNumber) == [1])
    }

    @Test("During its pause a request is not recorded, and afterwards the clock has moved")
    func pause() async throws {
        let fixture = try SuiteFixture()
        let elements = try ElementScript.decode(
            json: #"[{"response_pause":5,"response_headers":[["Expires",0]]},{}]"#
        )
        let namespace = fixture.server.open(test: "a", elements: elements, clock: fixture.clock)
        let (events, sink) = AsyncStream.makeStream(of: Void.self)
        namespace.onActivity { sink.yield() }
        let slow = try fixture.client()
        try slow.request("GET", "/test/a", ["Req-Num: 1"])
        for await _ in events where !namespace.parked.isEmpty { break }
        #expect(try fixture.get("a", number: "2")["Request-Numbers"] == "2")
        fixture.clock.advance(by: .seconds(5))
        let answer = try slow.response()
        #expect(answer["Request-Numbers"] == "2 1")
        #expect(answer["Expires"] == "Thu, 01 Jan 2026 00:00:05 GMT")
    }

    @Test("The state lists requests in order, with the fields that the client compares")
    func state() throws {
        let fixture = try SuiteFixture()
        _ = try fixture.put(
            "a",
            #"[{"response_headers":[["A","1"],["a","2"],["B","3",false],["Date",0],["N",7]]}]"#
        )
        let lines = [
            "Cookie: x", "Cookie: y", "T: 1", "T: 2", "If-Modified-Since: 1", "If-Modified-Since: 2",
        ]
        _ = try fixture.get("a", number: "q", lines)
        #expect(
            try fixture.ask("GET", "/state/a").text
                == #"[{"request_num":null,"request_method":"GET","request_headers":{"host":"localhost","req-num":"q","#
                + #""cookie":"x; y","t":"1, 2","if-modified-since":"1"},"response_headers":[["A","1"],["a",["1","2"]],"#
                + #"["Date","Thu, 01 Jan 2026 00:00:00 GMT"],["N",7]]}]"#
        )
    }

    @Test("A test that was unused for an hour is removed")
    func expiry() throws {
        let fixture = try SuiteFixture()
        _ = try fixture.put("a", "[{}]")
        fixture.clock.advance(by: .seconds(3599))
        #expect(try fixture.get("a").status == 200)
        fixture.clock.advance(by: .seconds(3601))
        _ = try fixture.put("b", "[{}]")
        #expect(try fixture.get("a").status == 409)
        #expect(try fixture.get("b").status == 200)
    }
}

/// A suite server on a virtual clock, and clients of it.
private struct SuiteFixture {
    let clock = VirtualClock(wallSeconds: 1_767_225_600)
    let server: MockServer
    private let end: End

    private final class End {
        let server: MockServer
        init(_ server: MockServer) { self.server = server }
        deinit { server.stop() }
    }

    init(_ dialect: SuiteDialect = .compatible) throws {
        var configuration = MockServer.Configuration()
        configuration.suite = dialect
        server = MockServer(configuration, clock: clock)
        end = End(server)
        try server.start()
    }

    func client() throws -> RawClient { try RawClient(port: server.port) }

    func ask(_ method: String, _ target: String, _ lines: [String] = [], body: String = "") throws
        -> RawResponse
    {
        let client = try client()
        try client.request(method, target, lines, body: body)
        return try client.response()
    }

    func put(_ id: String, _ body: String) throws -> RawResponse {
        try ask("PUT", "/config/\(id)", body: body)
    }

    func get(_ id: String, number: String = "1", _ lines: [String] = []) throws -> RawResponse {
        try ask("GET", "/test/\(id)", ["Req-Num: \(number)"] + lines)
    }
}
