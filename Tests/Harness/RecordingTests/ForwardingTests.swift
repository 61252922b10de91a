import CacheClient
import Clocks
import Locks
import Recording
import TestSupport
import Testing

@Suite("What a recorder forwards, RFC 9110 §5.5 and §7.6.1", .timeLimit(.minutes(20)), .blocking)
struct ForwardingTests {
    @Test("An origin that is no http or https URL is an error of the start")
    func badOrigin() throws {
        let proxy = RecordingProxy(
            RecordingProxy.Configuration(mode: .reverse(origin: "ftp://x")),
            transport: try CurlTransport(),
            clock: SystemClock()
        ) { _ in }
        #expect(throws: ServerError.badOrigin("ftp://x")) { try proxy.start() }
        #expect(throws: ServerError.badOrigin("ftp://x")) {
            try RecordingProxy.started(.init(mode: .reverse(origin: "ftp://x"))) { _ in }
        }
    }

    /// Returns the head that the origin gets of a request, the bytes that the client gets for the origin's, and what is recorded.
    private func passed(_ lines: String, answer: [UInt8]) throws -> (
        head: String, answer: [UInt8], recorded: [CapturedExchange]
    ) {
        let heads = Lock([String]())
        let origin = ScriptedServer { connection in
            while let head = connection.readHead() {
                heads.withLock { $0.append(head) }
                connection.send(answer)
            }
        }
        defer { origin.stop() }
        let recorded = Lock([CapturedExchange]())
        let proxy = try RecordingProxy.started(.init(mode: .reverse(origin: origin.url))) { event in
            if case .exchange(let exchange) = event { recorded.withLock { $0.append(exchange) } }
        }
        defer { proxy.stop() }
        #expect([proxy.url("/a?b"), proxy.url("a?b")] == [proxy.url + "/a?b", proxy.url + "/a?b"])
        let client = try RawClient(port: proxy.port)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")
        let answer = try client.readToEnd()
        return (try #require(heads.withLock { $0.first }), answer, recorded.withLock { $0 })
    }

    @Test(
        "Fields that Connection lists go no further in either direction, and other bytes of a response's field arrive unchanged"
    )
    func fields() throws {
        let (head, answer, recorded) = try passed(
            "Connection: close, x-hop\r\nX-Hop: 2\r\nX-End: 3\r\n",
            answer: Array("HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: 1\r\nX-End: ".utf8)
                + [0x22, 0xE9, 0x22] + Array("\r\nContent-Length: 0\r\n\r\n".utf8)
        )
        #expect(answer.ranges(of: [0x22, 0xE9, 0x22]).count == 1)
        #expect(answer.ranges(of: Array("X-Hop".utf8)).isEmpty)
        #expect(!head.lowercased().contains("x-hop"))
        #expect(head.contains("X-End: 3\r\n"))
        let folder = try TestFolder()
        for exchange in recorded { try FixtureWriter(folder: folder.path).add(exchange) }
        #expect(folder.files.compactMap { folder.text($0) }.allSatisfy { !$0.contains("X-Hop") })
        #expect(recorded.count == 1)
    }

    @Test("Connection does not keep the credentials from the origin")
    func credentials() throws {
        let (head, _, _) = try passed(
            "Connection: close, Authorization, cookie, Host\r\nAuthorization: Basic YQ==\r\nCookie: a=1\r\n",
            answer: Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        )
        #expect(head.contains("Authorization: Basic YQ==\r\n"))
        #expect(head.contains("Cookie: a=1\r\n"))
        #expect(head.contains("Host: "))
    }

    @Test("An origin that sends nothing for the time limit is 504 by the proxy's clock, and not recorded")
    func overdue() throws {
        let clock = VirtualClock()
        let origin = ScriptedServer { connection in
            _ = connection.readHead()
            clock.advance(by: .seconds(60))
            connection.waitForClose()
        }
        defer { origin.stop() }
        let omitted = Lock([String]())
        let proxy = RecordingProxy(
            RecordingProxy.Configuration(mode: .reverse(origin: origin.url)),
            transport: try CurlTransport(),
            clock: clock
        ) { event in
            if case .omitted(let what) = event { omitted.withLock { $0.append(what) } }
        }
        try proxy.start()
        defer { proxy.stop() }
        let client = try RawClient(port: proxy.port)
        try client.request("GET", "/a", ["Connection: close"])
        let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 504 "))
        #expect(
            omitted.withLock { $0 } == ["GET \(origin.url)/a: the origin did not respond in time"]
        )
    }

    @Test("A response that the client does not wait for is not recorded but reported, and ends at the origin")
    func gone() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let origin = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            connection.waitForClose()
            end.finish()
        }
        defer { origin.stop() }
        let (events, sink) = AsyncStream.makeStream(of: RecordedEvent.self)
        let proxy = try RecordingProxy.started(.init(mode: .reverse(origin: origin.url))) { sink.yield($0) }
        defer { proxy.stop() }
        let client = try RawClient(port: proxy.port)
        try client.request("GET", "/a")
        _ = try client.read(through: "abc")
        client.close()
        var first = events.makeAsyncIterator()
        #expect(await first.next() == .omitted("GET \(origin.url)/a: the client disconnected"))
        for await _ in ends {}
    }
}
