import CacheClient
import CacheGateway
import CacheStorage
import Clocks
import Locks
import TestSupport
import Testing

@Suite(
    "Incremental messages through a gateway, draft-ietf-httpbis-incremental §3",
    .timeLimit(.minutes(20)),
    .blocking
)
struct IncrementalTests {
    /// A gateway in front of a server that a test scripts.
    private final class Fixture {
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
    }

    /// Answers with the first chunk of the request before it reads the second.
    private static func echo() -> ScriptedServer {
        ScriptedServer { connection in
            while connection.readHead() != nil {
                guard connection.read(count: 9) == "4\r\nping\r\n" else { return }
                connection.send(
                    "HTTP/1.1 200 OK\r\nIncremental: ?1\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n"
                )
                connection.send("4\r\nping\r\n")
                guard connection.read(count: 14) == "4\r\npong\r\n0\r\n\r\n" else { return }
                connection.send("4\r\npong\r\n0\r\n\r\n")
            }
        }
    }

    @Test(
        "The content of an incremental request reaches the origin, and its response the caller, before the request ends",
        .checks("incremental.3.forwarded", "rfc10008.2.7.content"),
        arguments: ["POST", "QUERY", "PUT"]
    )
    func bothDirections(method: String) throws {
        let fixture = try Fixture(Self.echo())
        for _ in 0..<2 {
            let client = try RawClient(port: fixture.gateway.port)
            try client.request(
                method,
                "/1",
                ["Incremental: ?1", "Content-Type: text/plain", "Transfer-Encoding: chunked"]
            )
            try client.send("4\r\nping\r\n")
            let head = RawResponse(head: try client.read(through: "\r\n\r\n"))
            #expect(head.status == 200)
            #expect(head["Incremental"] == "?1")
            #expect(try client.read(through: "ping").hasSuffix("ping"))
            try client.send("4\r\npong\r\n0\r\n\r\n")
            #expect(try client.read(through: "0\r\n\r\n").contains("pong"))
        }
        #expect(fixture.gateway.entryCount == 0)
    }

    @Test("A request that arrives during an incremental response gets its own response at once")
    func waiting() throws {
        let requests = Monitor(0)
        let origin = ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.send(
                    "HTTP/1.1 200 OK\r\nIncremental: ?1\r\nCache-Control: max-age=60\r\nContent-Length: 8\r\n\r\nping"
                )
                requests.withLock { $0 += 1 }
                requests.wakeAll()
                requests.wait { count, _ in count < 3 ? .wait() : .done(()) }
                connection.send("pong")
            }
        }
        let fixture = try Fixture(origin)
        let clients = try (0..<3).map { _ in try RawClient(port: fixture.gateway.port) }
        for client in clients {
            try client.request("GET", "/1")
            #expect(try client.read(through: "ping").hasSuffix("ping"))
        }
        for client in clients { #expect(try client.read(count: 4) == Array("pong".utf8)) }
    }

    @Test(
        "A QUERY whose content has no announced length is stored up to a mebibyte",
        .checks("rfc10008.2.7.reuse", "rfc10008.2.7.content"),
        arguments: [(1 << 20, true), ((1 << 20) + 1, false)]
    )
    func chunked(size: Int, isStored: Bool) throws {
        let origin = ScriptedServer { connection in
            while let head = connection.readHead() {
                // What has been read for the key has a length.
                let isChunked = head.lowercased().contains("transfer-encoding: chunked")
                let content = isChunked ? connection.readChunks() : connection.read(count: size)
                guard content != nil else { return }
                connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let fixture = try Fixture(origin)
        for round in 0..<2 {
            let client = try RawClient(port: fixture.gateway.port, timeout: 240)
            try client.request("QUERY", "/1", ["Content-Type: text/plain", "Transfer-Encoding: chunked"])
            try client.send(
                "\(String(size, radix: 16))\r\n" + String(repeating: "q", count: size) + "\r\n0\r\n\r\n"
            )
            let response = try client.response()
            #expect(response.text == "ok")
            #expect(response["Cache-Status"]?.contains("; hit") == (isStored && round == 1))
        }
        #expect(fixture.gateway.entryCount == (isStored ? 1 : 0))
    }
}
