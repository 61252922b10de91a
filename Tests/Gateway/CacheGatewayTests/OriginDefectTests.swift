import CacheClient
import CacheGateway
import CacheStorage
import Clocks
import Locks
import TestSupport
import Testing

@Suite(
    "A gateway whose origin violates HTTP/1.1, or uses HTTP/1.0, RFC 9112 §6.3",
    .timeLimit(.minutes(20)),
    .blocking
)
struct OriginDefectTests {
    /// A gateway in front of a server that sends what a test defines.
    private final class DefectFixture: Sendable {
        let gateway: Gateway
        private let store: CacheStore

        init(
            _ origin: ScriptedServer,
            store: CacheStore.Configuration = .init(),
            originTimeout: Duration = .seconds(60)
        ) throws {
            var configuration = Gateway.Configuration(mode: .reverse(origin: origin.url))
            configuration.originTimeout = originTimeout
            let clock = SystemClock()
            self.store = try CacheStore(store, clock: clock)
            gateway = Gateway(
                configuration,
                store: self.store,
                transport: try CurlTransport(),
                clock: clock
            )
            try gateway.start()
        }

        deinit { gateway.stop() }

        /// Ends the gateway, with all that is stored on disk.
        func close() {
            gateway.stop()
            store.close()
        }

        func ask(_ method: String = "GET", _ lines: [String] = []) throws -> RawResponse {
            let client = try RawClient(port: gateway.port)
            try client.request(method, "/1", lines, body: "")
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
        "A status line that is not of HTTP/1.0 or HTTP/1.1 results in 502; RFC 9110 §2.5 permits HTTP/1.2, libcurl does not",
        arguments: [
            "HTTP/1.2 200 OK", "HTTP/1.9 200 OK", "HTTP/2.0 200 OK", "HTTP/2 200 OK", "HTTP/3 200 OK",
            "HTTP/0.9 200 OK", "HTTP/01.1 200 OK", "HTTP/1.01 200 OK", "HTTP/11.1 200 OK", "http/1.1 200 OK",
            "Http/1.1 200 OK", "HTTP/1,1 200 OK", "HTTP/1.1x 200 OK", "HTTP/1. 200 OK", "HTTP/ 1.1 200 OK",
            "HTTPS/1.1 200 OK", "ICY 200 OK", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 OK", "HTTP/1.1 20 OK",
            "HTTP/1.1 2000 OK", "HTTP/1.1 200OK", "HTTP/1.1 -20 OK", "HTTP/1.1 099 OK", "",
        ]
    )
    func statusLine(_ line: String) throws {
        let fixture = try DefectFixture(
            ScriptedServer { connection in
                _ = connection.readHead()
                connection.send("\(line)\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\nhello")
            }
        )
        #expect(try fixture.ask().status == 502)
        #expect(fixture.gateway.entryCount == 0)
    }

    @Test(
        "After a status line of HTTP/2, no request uses a connection whose response has not arrived, RFC 9112 §9.3.2",
        arguments: ["HTTP/2", "HTTP/2.0"]
    )
    func connectionInUse(_ version: String) throws {
        let (hasArrived, mayAnswer) = (Gate(), Gate())
        let origin = ScriptedServer { connection in
            while let head = connection.readHead() {
                let path = head.split(separator: " ")[1]
                if path == "/slow" {
                    hasArrived.open()
                    mayAnswer.wait()
                }
                let line = path == "/bad" ? version : "HTTP/1.1"
                connection.send("\(line) 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
            }
        }
        let fixture = try DefectFixture(origin)
        let (slow, other) = (
            try RawClient(port: fixture.gateway.port), try RawClient(port: fixture.gateway.port)
        )
        try slow.request("GET", "/slow")
        hasArrived.wait()
        try other.request("GET", "/bad")
        #expect(try other.response().status == 502)
        try other.request("GET", "/other")
        defer { mayAnswer.open() }
        #expect(try other.response().text == "/other")
        mayAnswer.open()
        #expect(try slow.response().text == "/slow")
    }

    @Test(
        "A response that precedes the end of the request's content arrives whole, RFC 9112 §9.5",
        arguments: [
            ("413 Content Too Large\r\nConnection: close\r\nContent-Length: 2", "no"),
            ("200 OK\r\nContent-Length: 2", "ok"), ("200 OK\r\nContent-Length: 0", ""),
            ("204 No Content", ""),
        ]
    )
    func early(_ head: String, _ content: String) throws {
        let fixture = try DefectFixture(
            ScriptedServer { connection in
                _ = connection.readHead()
                connection.send("HTTP/1.1 \(head)\r\n\r\n\(content)")
                connection.waitForClose()
            }
        )
        let client = try RawClient(port: fixture.gateway.port)
        try client.send("POST /1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf")
        let response = try client.response()
        #expect(response.statusLine == "HTTP/1.1 " + head.prefix { $0 != "\r\n" })
        #expect(response.text == content)
        #expect(response["Connection"] == "close")
    }

    @Test(
        "The time limit for the origin results in 408 if it waits for the client's content, otherwise in 504, RFC 9110 §15.5.9, §15.6.5",
        arguments: [("half", 408), ("complete.", 504)]
    )
    func silence(_ content: String, _ status: Int) throws {
        let origin = ScriptedServer { connection in
            _ = connection.readHead()
            connection.waitForClose()
        }
        let fixture = try DefectFixture(origin, originTimeout: .seconds(2))
        let client = try RawClient(port: fixture.gateway.port)
        try client.send("POST /1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n\(content)")
        #expect(try client.response().status == status)
    }

    @Test(
        "Bytes that an origin sends without a request are not a response: the next request has a new connection, RFC 9112 §6.3",
        arguments: [
            ("GET", "200 OK\r\nContent-Length: 1\r\n\r\n1"), ("HEAD", "200 OK\r\nContent-Length: 70\r\n\r\n"),
            ("GET", "204 No Content\r\n\r\n"),
        ],
        ["GET", "POST"]
    )
    func unsolicited(first: (method: String, response: String), method: String) throws {
        let (hasArrived, isSent) = (Gate(), Gate())
        let poison = "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: 6\r\n\r\nPOISON"
        let requests = Lock([String]())
        let origin = ScriptedServer { connection in
            while let head = connection.readHead() {
                let path = String(head.split(separator: " ")[1])
                requests.withLock { $0.append(path) }
                guard path == "/first" else {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
                    continue
                }
                connection.send("HTTP/1.1 \(first.response)")
                hasArrived.wait()
                connection.send(poison)
                isSent.open()
            }
        }
        let fixture = try DefectFixture(origin)
        let client = try RawClient(port: fixture.gateway.port)
        try client.request(first.method, "/first")
        _ = try client.response(toHead: first.method == "HEAD")
        hasArrived.open()
        isSent.wait()
        for path in ["/second", "/third"] {
            try client.request(method, path)
            #expect(try client.response().text == path)
        }
        #expect(requests.withLock { $0 } == ["/first", "/second", "/third"])
        #expect(origin.connections == 2)
    }

    @Test("A 204 has no Content-Length, neither from the origin nor from the store, RFC 9110 §8.6")
    func noContent() throws {
        let fixture = try DefectFixture(
            ScriptedServer { connection in
                while connection.readHead() != nil {
                    connection.send(
                        "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\nCache-Control: max-age=60\r\n\r\n"
                    )
                }
            }
        )
        let client = try RawClient(port: fixture.gateway.port)
        for (method, path) in [("HEAD", "/1"), ("GET", "/1"), ("GET", "/1"), ("HEAD", "/1")] {
            try client.request(method, path)
            let response = try client.response(toHead: method == "HEAD")
            #expect(response.status == 204)
            #expect(response["Content-Length"] == nil)
        }
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
        "A list of equal lengths is forwarded as one length, RFC 9112 §6.3",
        arguments: ["5, 5", "5\t,5,5", "005"],
        ["GET", "HEAD"]
    )
    func equalLengths(_ length: String, _ method: String) throws {
        let fixture = try DefectFixture(
            ScriptedServer { connection in
                _ = connection.readHead()
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n"
                connection.send(method == "HEAD" ? head : head + "hello")
            }
        )
        let response = try fixture.ask(method)
        #expect(response["Content-Length"] == "5")
        #expect(response["Transfer-Encoding"] == nil)
    }

    /// A way to deliver a stored response.
    enum Delivery: CaseIterable {
        case memory, disk, part, head

        var store: CacheStore.Configuration {
            CacheStore.Configuration(
                memoryCapacity: self == .disk ? .zero : .mebibytes(1),
                diskCapacity: .mebibytes(1)
            )
        }
        var method: String { self == .head ? "HEAD" : "GET" }
        var lines: [String] { self == .part ? ["Range: bytes=0-1"] : [] }
    }

    @Test(
        "Via of a stored response has the version in which it was received, RFC 9110 §7.6.3",
        arguments: ["1.0", "1.1"],
        Delivery.allCases
    )
    func viaOfStored(_ version: String, _ delivery: Delivery) throws {
        let folder = try TestFolder()
        var store = delivery.store
        store.directory = folder.path
        let answer = "HTTP/\(version) 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\nhello"
        let origin = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send(answer)
        }
        let first = try DefectFixture(origin, store: store)
        #expect(try first.ask()["Via"] == "\(version) cachecheck")
        first.close()
        // Another gateway, so that the version comes from the disk at first.
        let fixture = try DefectFixture(origin, store: store)
        for _ in 0..<2 {
            let response = try fixture.ask(delivery.method, delivery.lines)
            #expect(response["Cache-Status"]?.contains("; hit") == true)
            #expect(response["Via"] == "\(version) cachecheck")
        }
    }

    @Test(
        "A validated response keeps the version in which its content was received, RFC 9110 §7.6.3"
    )
    func viaOfValidated() throws {
        let origin = ScriptedServer { connection in
            let isValidation = connection.readHead()?.contains("If-None-Match") == true
            let start = isValidation ? "HTTP/1.1 304 Not Modified" : "HTTP/1.0 200 OK\r\nContent-Length: 5"
            let head = start + "\r\nETag: \"v1\"\r\nCache-Control: no-cache\r\n\r\n"
            connection.send(isValidation ? head : head + "hello")
        }
        let fixture = try DefectFixture(origin)
        for _ in 0..<3 { #expect(try fixture.ask()["Via"] == "1.0 cachecheck") }
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
