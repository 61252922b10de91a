import Addresses
import CacheClient
import CacheGateway
import CacheSemantics
import Clocks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite(
    "A gateway whose origin fails, RFC 9111 §4.2.4, §5.2.2.2, RFC 9110 §15.6",
    .timeLimit(.minutes(20)),
    .blocking
)
struct FailureTests {
    private static func agedAnswer(_ directive: String) -> OriginScript.Answer {
        .fresh("kept") { answer in
            answer.fields = [
                FieldLine("Cache-Control", .text("max-age=1" + directive)), FieldLine("Age", .text("5")),
                FieldLine("ETag", .text("\"1\"")),
            ]
        }
    }

    @Test("A connection that is closed before the head results in 502")
    func closed() throws {
        let fixture = try GatewayFixture(.fresh("") { $0.faults = [Fault(.close, at: .beforeHead)] })
        #expect(try fixture.ask().status == 502)
    }

    @Test(
        "A stored response is served stale instead of the failure, unless that is forbidden: then it is 504",
        arguments: [("", 200), (", must-revalidate", 504), (", proxy-revalidate", 504)]
    )
    func stale(directive: String, status: Int) throws {
        let fixture = try GatewayFixture(
            Self.agedAnswer(directive),
            .fresh("") { $0.faults = [Fault(.close, at: .beforeHead)] }
        )
        #expect(try fixture.ask().text == "kept")
        let second = try fixture.ask()
        #expect(second.status == status)
        #expect(second.text == (status == 200 ? "kept" : second.text))
    }

    @Test("Content that breaks off at the origin breaks off at the caller, and is not stored")
    func broken() throws {
        let fixture = try GatewayFixture(
            .fresh("0123456789") { $0.faults = [Fault(.close, at: .body, byte: 4)] },
            .fresh("whole")
        )
        let client = try fixture.client()
        try client.request("GET", fixture.target())
        _ = try client.read(through: "\r\n\r\n")
        #expect(throws: RawClient.Failure.self) { try client.read(count: 10) }
        #expect(try fixture.ask().text == "whole")
    }

    @Test("A caller that disconnects ends the exchange with the origin")
    func goneCaller() async throws {
        let fixture = try GatewayFixture(
            .fresh("") { $0.faults = [Fault(.stall(.forever), at: .beforeHead)] }
        )
        let client = try fixture.client()
        try client.request("GET", fixture.target())
        await fixture.wait { fixture.namespace.record().count == 1 }
        client.close()
        await fixture.wait { fixture.namespace.record().first?.isAborted == true }
        #expect(fixture.namespace.record()[0].isAborted)
    }

    @Test(
        "A head that cannot be trusted results in 502, and nothing of it is stored (RFC 9112 §6.3)",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 3, 5\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: upgrade\r\n",
        ]
    )
    func untrusted(head: String) throws {
        let origin = ScriptedServer { _, _ in "\(head)Cache-Control: max-age=60\r\n\r\nabcde" }
        defer { origin.stop() }
        let fixture = try GatewayFixture([]) { $0.mode = .reverse(origin: origin.url) }
        for _ in 1...2 {
            let seen = try fixture.ask()
            #expect(seen.status == 502)
            #expect(seen["Cache-Status"]?.contains("fwd=uri-miss") == true)
        }
        #expect(fixture.gateway.entryCount == 0)
    }

    @Test("The same length given twice is one length")
    func lengthTwice() throws {
        let origin = ScriptedServer { _, _ in
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nabcde"
        }
        defer { origin.stop() }
        let fixture = try GatewayFixture([]) { $0.mode = .reverse(origin: origin.url) }
        #expect(try fixture.ask().text == "abcde")
    }

    @Test("Neither trailers nor Trailer are forwarded, from the origin or from the store")
    func trailers() throws {
        let origin = ScriptedServer { _, _ in
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTrailer: A\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n0\r\nA: b\r\n\r\n"
        }
        defer { origin.stop() }
        let fixture = try GatewayFixture([]) { $0.mode = .reverse(origin: origin.url) }
        for _ in 1...2 {
            let seen = try fixture.ask()
            #expect(seen.text == "abc")
            #expect(seen["Trailer"] == nil)
            #expect(seen["A"] == nil)
        }
        #expect(origin.connections == 1)
    }

    @Test("Each of several accounts gets its own response, even from a private cache (§3.5)")
    func accounts() throws {
        let routes = [Route(label: "1", answers: [.fresh("of a"), .fresh("of b")])]
        let fixture = try GatewayFixture(routes) { $0.engine = CacheEngine(kind: .private) }
        #expect(try fixture.ask("GET", "/1", ["Authorization: Basic YTph"]).text == "of a")
        #expect(try fixture.ask("GET", "/1", ["Authorization: Basic Yjpi"]).text == "of b")
    }

    @Test("A forward proxy sends a request to the host that the absolute target names, and opens no tunnel")
    func forward() throws {
        let fixture = try GatewayFixture([Route(label: "1", answers: [.fresh("there")])]) { configuration in
            configuration.mode = .forward
            configuration.allowedAddresses = AddressBlock("127.0.0.0/8").map { [$0] } ?? []
        }
        let client = try fixture.client()
        let url = "http://127.0.0.1:\(fixture.server.port ?? 0)\(fixture.target())"
        for _ in 1...2 {
            try client.send("GET \(url) HTTP/1.1\r\nHost: elsewhere\r\n\r\n")
            #expect(try client.response().text == "there")
        }
        #expect(fixture.namespace.record().count == 1)
        try client.send("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")
        #expect(try client.response().status == 501)
    }
}
