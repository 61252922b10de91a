import CacheClient
import CacheGateway
import CacheStorage
import Clocks
import TestSupport
import Testing

@Suite("A gateway whose origin violates HTTP/1.1, or uses HTTP/1.0, RFC 9112 §6.3", .timeLimit(.minutes(5)))
struct OriginDefectTests {
    /// A gateway in front of a server that sends what a test defines.
    private final class DefectFixture: Sendable {
        let gateway: Gateway

        init(_ origin: ScriptedServer) throws {
            let configuration = Gateway.Configuration(mode: .reverse(origin: origin.url))
            let clock = SystemClock()
            gateway = Gateway(
                configuration,
                store: try CacheStore(CacheStore.Configuration(), clock: clock),
                transport: try CurlTransport(),
                clock: clock
            )
            try gateway.start()
        }

        deinit { gateway.stop() }

        func ask(_ method: String = "GET") throws -> RawResponse {
            let client = try RawClient(port: gateway.port)
            try client.request(method, "/1", [], body: "")
            return try client.response(toHead: method == "HEAD")
        }
    }

    @Test(
        "A response whose end cannot be trusted results in 502",
        arguments: [
            "\r\n X: y\r\nContent-Length: 5", "\r\nContent-Length: 0x5", "\r\nContent-Length: 5, 6",
            "\r\nTransfer-Encoding: gzip", "\r\nTransfer-Encoding: gzip, chunked",
            "\r\nX\r\nContent-Length: 5",
        ]
    )
    func rejected(_ lines: String) throws {
        let fixture = try DefectFixture(
            ScriptedServer { connection in
                _ = connection.readHead()
                connection.send("HTTP/1.1 200 OK\(lines)\r\nCache-Control: max-age=60\r\n\r\nhello")
            }
        )
        #expect(try fixture.ask().status == 502)
        #expect(fixture.gateway.entryCount == 0)
    }

    @Test(
        "Via has the version in which the response was received, RFC 9110 §7.6.3",
        arguments: ["1.0", "1.1"]
    )
    func via(_ version: String) throws {
        let fixture = try DefectFixture(
            ScriptedServer { connection in
                _ = connection.readHead()
                connection.send("HTTP/\(version) 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            }
        )
        #expect(try fixture.ask()["Via"] == "\(version) cachecheck")
    }

    @Test(
        "A request is sent again to an origin that closes idle connections, which is counted, RFC 9110 §9.2.2"
    )
    func resent() throws {
        let origin = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 5\r\n\r\nhello")
            _ = connection.readHead()
        }
        let fixture = try DefectFixture(origin)
        for _ in 0..<16 { #expect(try fixture.ask().status == 200) }
        #expect(fixture.gateway.metrics.snapshot.resent == 15)
        #expect(try fixture.ask("POST").status == 502)
        #expect(fixture.gateway.metrics.snapshot.resent == 15)
    }
}
