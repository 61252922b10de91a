import CacheGateway
import Clocks
import HTTPServing
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("A gateway forwards messages, RFC 9110 §7.6", .timeLimit(.minutes(20)), .blocking)
struct GatewayTests {
    @Test("A fresh response answers the second caller, with Age and without a request to the origin")
    func hit() throws {
        let clock = VirtualClock(wallSeconds: 1_767_225_600)
        let fixture = try GatewayFixture(.fresh("hello"), .fresh("other"), clock: clock)
        let first = try fixture.ask()
        let second = try fixture.ask()
        #expect(first.text == "hello" && second.text == "hello")
        #expect(
            first["Cache-Status"]?.hasPrefix("CacheCheck; fwd=uri-miss; fwd-status=200; ttl=60; stored;")
                == true
        )
        #expect(second["Cache-Status"]?.hasPrefix("CacheCheck; hit; ttl=") == true)
        #expect(second["Age"] == "0")
        #expect(first["Via"] == "1.1 cachecheck" && second["Via"] == "1.1 cachecheck")
        #expect(fixture.namespace.record().count == 1)
    }

    @Test(
        "Fields of one connection, and those that Connection lists, are not forwarded in either direction"
    )
    func hopByHop() throws {
        let fixture = try GatewayFixture(
            .fresh("x") { answer in
                answer.fields += [
                    FieldLine("Connection", .text("X-Secret")), FieldLine("X-Secret", .text("1")),
                    FieldLine("Keep-Alive", .text("timeout=5")),
                    FieldLine("Proxy-Authenticate", .text("Basic")),
                    FieldLine("X-Kept", .text("1")),
                ]
            }
        )
        let fields = [
            "Connection: X-Hop", "X-Hop: 1", "Keep-Alive: 3", "TE: trailers", "Upgrade: websocket",
            "Proxy-Authorization: Basic eA==", "Proxy-Connection: keep-alive", "X-Mine: 1",
        ]
        for _ in 1...2 {
            let response = try fixture.ask("GET", "/1", fields)
            for name in ["Connection", "X-Secret", "Keep-Alive", "Proxy-Authenticate"] {
                #expect(response[name] == nil, "\(name)")
            }
            #expect(response["X-Kept"] == "1")
        }
        let seen = try #require(fixture.namespace.record().first).fields
        #expect(seen.map(\.name).filter { $0 != "Host" } == ["X-Mine", "Via"])
    }

    @Test(
        "Any method reaches the origin",
        arguments: ["M-SEARCH", "QUERY", "DELETE", "PATCH", "OPTIONS", "brew"]
    )
    func methods(method: String) throws {
        let fixture = try GatewayFixture(.fresh("done"))
        #expect(try fixture.ask(method).text == "done")
        #expect(fixture.namespace.record().map(\.method) == [method])
    }

    @Test("Content is forwarded with its length, and in chunks if that is not known")
    func uploads() throws {
        let fixture = try GatewayFixture(.fresh("a"), .fresh("b"))
        _ = try fixture.ask("POST", "/1", [], body: "twelve bytes")
        let client = try fixture.client()
        try client.request("POST", fixture.target(), ["Transfer-Encoding: chunked"])
        try client.send("5;x=1\r\nhello\r\n1\r\n!\r\n0\r\nX-Trailer: 1\r\n\r\n")
        #expect(try client.response().status == 200)
        let seen = fixture.namespace.record()
        #expect(seen.map { String(decoding: $0.body, as: UTF8.self) } == ["twelve bytes", "hello!"])
        #expect(seen[0].fields.contains { $0.name == "Content-Length" && $0.value == "12" })
        #expect(seen[1].fields.contains { $0.name == "Transfer-Encoding" && $0.value == "chunked" })
        #expect(!seen[1].fields.contains { $0.name == "X-Trailer" })
    }

    @Test("Pipelined requests on one connection are answered in order")
    func pipelining() throws {
        let fixture = try GatewayFixture([
            Route(label: "1", path: .exact("/1"), answers: [.fresh("one")]),
            Route(label: "2", path: .exact("/2"), answers: [.fresh("two")]),
        ])
        let client = try fixture.client()
        for path in ["/1", "/2", "/1", "/2"] { try client.request("GET", fixture.target(path)) }
        #expect(try (1...4).map { _ in try client.response().text } == ["one", "two", "one", "two"])
    }

    @Test("A client that waits for 100 (Continue) gets it before the final response")
    func expectation() throws {
        let fixture = try GatewayFixture(.fresh("done"))
        let client = try fixture.client()
        try client.request("PUT", fixture.target(), ["Expect: 100-continue", "Content-Length: 3"])
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send("abc")
        #expect(try client.response().text == "done")
    }

    @Test("An unreachable origin results in 502")
    func unreachable() throws {
        let fixture = try GatewayFixture([]) { $0.mode = .reverse(origin: "http://127.0.0.1:1") }
        let client = try fixture.client()
        try client.request("GET", "/")
        let response = try client.response()
        #expect(response.status == 502)
        #expect(response["Connection"] == nil)
    }

    @Test(
        "Max-Forwards is decremented for OPTIONS and TRACE, and at 0 the request is not forwarded",
        arguments: [
            ("OPTIONS", "0", 200, nil), ("TRACE", "0", 501, nil), ("OPTIONS", "3", 200, "2"),
            ("TRACE", "1", 200, "0"), ("OPTIONS", "x", 200, "x"), ("OPTIONS", "+1", 200, "+1"),
            ("GET", "0", 200, "0"), ("OPTIONS", "9223372036854775808", 200, "9223372036854775806"),
        ] as [(String, String, Int, String?)]
    )
    func maxForwards(method: String, value: String, status: Int, sent: String?) throws {
        let fixture = try GatewayFixture(.fresh("x"))
        #expect(try fixture.ask(method, "/1", ["Max-Forwards: \(value)"]).status == status)
        let seen = fixture.namespace.record().first
        #expect(seen?.fields.first { $0.name == "Max-Forwards" }?.value == sent)
        #expect((seen == nil) == (sent == nil))
    }

    @Test("A request that comes back to the gateway does not wait for the exchange that it is part of")
    func returning() throws {
        let (asked, returned) = (Gate(), Gate())
        let origin = ScriptedServer { connection in
            guard let head = connection.readHead() else { return }
            asked.open()
            if head.contains("Back: yes") { returned.open() }
            returned.wait()
            connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 0\r\n\r\n")
        }
        let fixture = try GatewayFixture([]) { $0.mode = .reverse(origin: origin.url) }
        let clients = [try fixture.client(), try fixture.client()]
        try clients[0].request("GET", "/")
        asked.wait()
        try clients[1].request("GET", "/", ["Via: 1.1 cachecheck", "Back: yes"])
        for client in clients { #expect(try client.response().status == 200) }
    }

    @Test("A request in a loop is stopped", arguments: [(7, 200), (8, 508)])
    func circle(hops: Int, status: Int) throws {
        let fixture = try GatewayFixture(.fresh("x"))
        let via = Array(repeating: "1.1 cachecheck", count: hops).joined(separator: ", ")
        #expect(try fixture.ask("GET", "/1", ["Via: \(via)"]).status == status)
    }
}
