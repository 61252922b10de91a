import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

@Suite("What a proxy records", .timeLimit(.minutes(20)), .blocking)
struct RecordingTests {
    private struct Unexpected: Error {
        let what: String
    }

    /// The events of a recording, in their order.
    private struct Events: Sendable {
        private let all: AsyncStream<RecordedEvent>
        let sink: AsyncStream<RecordedEvent>.Continuation

        init() { (all, sink) = AsyncStream.makeStream(of: RecordedEvent.self) }

        /// Waits for the first event.
        func first() async throws -> RecordedEvent {
            for await event in all { return event }
            throw Unexpected(what: "no event")
        }
    }

    private func stage(_ faults: String = "", _ events: Events, _ answer: String) throws -> ProxyStage {
        try ProxyStage(faults, configure: { $0.onExchange = { events.sink.yield($0) } }) { connection in
            while connection.readHead() != nil { connection.send(answer) }
        }
    }

    private func recorded(_ event: RecordedEvent) throws -> CapturedExchange {
        guard case .exchange(let exchange) = event else {
            throw Unexpected(what: "\(event)")
        }
        return exchange
    }

    @Test("An exchange is recorded without its framing, with interim responses and the order of its fields")
    func whole() async throws {
        let events = Events()
        let answer =
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            + "HTTP/1.1 200 Fine\r\nX-B: 1\r\nx-a: 2\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;e\r\nde\r\n0\r\n\r\n"
        let stage = try stage("", events, answer)
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/a?b=c", ["X-Own: 1"])
        _ = try client.read(through: "\r\n\r\n")
        #expect(try client.response().text == "abcde")
        let exchange = try recorded(try await events.first())
        #expect((exchange.method, exchange.target) == ("GET", "/a?b=c"))
        #expect(exchange.requestFields.map(\.name) == ["Host", "X-Own"])
        #expect(exchange.interim.map(\.status) == [103])
        #expect((exchange.response.status, exchange.response.reason) == (200, "Fine"))
        #expect(exchange.response.fields.map(\.name) == ["X-B", "x-a", "Transfer-Encoding"])
        #expect(exchange.response.body == Array("abcde".utf8))
    }

    @Test(
        "A response that a fault ends is recorded whole, and the client gets the same as without a recording",
        arguments: ["reset@body:3", "close@body:3"]
    )
    func cut(fault: String) async throws {
        let events = Events()
        let content = String(repeating: "x", count: 300_000)
        let stage = try stage(fault, events, "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + content)
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        _ = try client.read(through: "\r\n\r\n")
        #expect(try client.ending(after: 3).isReset == fault.hasPrefix("reset"))
        #expect(try recorded(try await events.first()).response.body.count == 300_000)
    }

    @Test("A response that the client does not wait for is recorded whole")
    func gone() async throws {
        let events = Events()
        let content = String(repeating: "x", count: 3_000_000)
        let stage = try stage("", events, "HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + content)
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        _ = try client.read(through: "\r\n\r\n")
        client.close()
        #expect(try recorded(try await events.first()).response.body.count == 3_000_000)
    }

    @Test(
        "A response that is too large to be recorded is read no further once the client has gone, whichever comes first",
        arguments: [0, 65]
    )
    func endless(megabytesRead: Int) async throws {
        let (events, (counts, count)) = (Events(), AsyncStream.makeStream(of: Int.self))
        let stage = try ProxyStage(configure: { $0.onExchange = { events.sink.yield($0) } }) { connection in
            _ = connection.readHead()
            count.yield(Self.flood(connection, megabytes: 200))
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/a")
        _ = try client.read(through: "\r\n\r\n")
        for _ in 0..<megabytesRead { _ = try client.read(count: 1 << 20) }
        client.close()
        let url = "http://127.0.0.1:\(stage.origin.port)/a"
        #expect(try await events.first() == .omitted("GET \(url): its content is larger than 67108864 bytes"))
        #expect(try #require(await counts.first { _ in true }) < 200)
    }

    /// Sends content until the client ends, or so much of it; returns how much was sent.
    private static func flood(_ connection: ServerConnection, megabytes: Int) -> Int {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n")
        let piece = [UInt8](repeating: 0x78, count: 1 << 20)
        return (0..<megabytes).first { _ in connection.send(piece) < piece.count } ?? megabytes
    }

    @Test(
        "A client that leaves ends a response that is too large to be recorded, although the upstream is silent"
    )
    func silent() async throws {
        let (events, (ends, end)) = (Events(), AsyncStream.makeStream(of: Void.self))
        let stage = try ProxyStage(configure: { $0.onExchange = { events.sink.yield($0) } }) { connection in
            _ = connection.readHead()
            _ = Self.flood(connection, megabytes: 65)
            connection.waitForClose()
            end.finish()
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/a")
        _ = try client.read(through: "\r\n\r\n")
        for _ in 0..<65 { _ = try client.read(count: 1 << 20) }
        client.close()
        for await _ in ends {}
        let url = "http://127.0.0.1:\(stage.origin.port)/a"
        #expect(try await events.first() == .omitted("GET \(url): its content is larger than 67108864 bytes"))
    }

    @Test("A rule's change is not recorded")
    func changed() async throws {
        let events = Events()
        let stage = try stage("", events, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
        defer { stage.stop() }
        stage.proxy.use(
            rules: try ProxyRuleFile.decode(
                "rules: [{path: /, answer: {pass: {status: 500, body: other}}}]",
                path: "rules.yaml"
            )
        )
        let client = try stage.client()
        try client.request("GET", "/")
        #expect(try client.response().text == "other")
        let response = try recorded(try await events.first()).response
        #expect((response.status, response.body) == (200, Array("body".utf8)))
    }

    @Test("A response that the upstream does not complete is reported, not recorded")
    func incomplete() async throws {
        let events = Events()
        let stage = try ProxyStage(
            configure: { $0.onExchange = { events.sink.yield($0) } }
        ) { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/a")
        _ = try client.read(through: "abc")
        guard case .omitted(let text) = try await events.first() else {
            Issue.record("it is recorded")
            return
        }
        #expect(text.hasPrefix("GET http://127.0.0.1:\(stage.origin.port)/a: the upstream ended"))
    }

    @Test(
        "A response whose chunks cannot be parsed is reported, not recorded, also after a fault has ended it",
        arguments: ["", "close@body:3"]
    )
    func malformed(fault: String) async throws {
        let events = Events()
        let stage = try ProxyStage(fault, configure: { $0.onExchange = { events.sink.yield($0) } }) {
            _ = $0.readHead()
            $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n")
            $0.send(String(repeating: "x", count: 1 << 20) + "\r\nno chunk\r\n")
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/a")
        _ = try client.readToEnd()
        let url = "http://127.0.0.1:\(stage.origin.port)/a"
        #expect(try await events.first() == .omitted("GET \(url): its chunks cannot be parsed"))
    }

    // MARK: Targets

    @Test(
        "An absolute target is recorded with its own origin, also by a reverse proxy",
        arguments: [
            ("GET http://other.example/a?b", "http://other.example", "/a?b"),
            ("GET HTTPS://u:p@other.example:8443", "https://other.example:8443", "/"),
            ("OPTIONS https://other.example?", "https://other.example", "/?"),
        ]
    )
    func absolute(line: String, origin: String, target: String) async throws {
        let events = Events()
        let stage = try stage("", events, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { stage.stop() }
        let client = try stage.client()
        try client.send("\(line) HTTP/1.1\r\nHost: a\r\n\r\n")
        let exchange = try recorded(try await events.first())
        #expect((exchange.origin, exchange.target) == (origin, target))
    }

    @Test("A tunnel through a reverse proxy is reported with its own authority")
    func connect() async throws {
        let events = Events()
        let stage = try stage("", events, "HTTP/1.1 200 OK\r\n\r\n")
        defer { stage.stop() }
        let client = try stage.client()
        try client.send("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
        #expect(try await events.first() == .omitted("CONNECT a.example:443: it opens a tunnel"))
    }

    @Test(
        "A request whose target has no path is reported, not recorded, because no route could match it",
        arguments: [
            ("CONNECT a.example:443", "CONNECT a.example:443"),
            ("OPTIONS *", "OPTIONS http://127.0.0.1:PORT*"),
            ("OPTIONS https://other.example", "OPTIONS https://other.example*"),
        ]
    )
    func pathless(line: String, reported: String) async throws {
        let events = Events()
        let stage = try stage("", events, "HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n")
        defer { stage.stop() }
        let client = try stage.client()
        try client.send("\(line) HTTP/1.1\r\nHost: a\r\n\r\n")
        let request = reported.replacing("PORT", with: "\(stage.origin.port)")
        let expected = "\(request): its target has no path, so no route can match it"
        #expect(try await events.first() == .omitted(expected))
    }

    // MARK: Forward proxies

    @Test("A forward proxy records a request with its server, and as that gets it")
    func forward() async throws {
        let events = Events()
        let origin = ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
            }
        }
        defer { origin.stop() }
        let stage = try ForwardStage { $0.onExchange = { events.sink.yield($0) } }
        defer { stage.proxy.stop() }
        let client = try stage.client()
        let server = "127.0.0.1:\(origin.port)"
        try client.send(
            "GET http://\(server)/a?b HTTP/1.1\r\nHost: other\r\nProxy-Connection: x\r\nX-A: 1\r\n\r\n"
        )
        #expect(try client.response().text == "body")
        let exchange = try recorded(try await events.first())
        #expect((exchange.origin, exchange.target) == ("http://\(server)", "/a?b"))
        #expect(exchange.requestFields.map { "\($0.name): \($0.value)" } == ["Host: \(server)", "X-A: 1"])
        #expect(exchange.response.body == Array("body".utf8))
    }

    @Test("A tunnel is reported, not recorded")
    func tunnel() async throws {
        let events = Events()
        let origin = ScriptedServer { $0.send("hello") }
        defer { origin.stop() }
        let stage = try ForwardStage { $0.onExchange = { events.sink.yield($0) } }
        defer { stage.proxy.stop() }
        let client = try stage.client()
        try client.send("CONNECT 127.0.0.1:\(origin.port) HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.read(through: "hello")
        let expected = "CONNECT 127.0.0.1:\(origin.port): it opens a tunnel"
        #expect(try await events.first() == .omitted(expected))
    }
}
