import Clocks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Faults of connections and during the reading of requests", .timeLimit(.minutes(20)), .blocking)
struct ConnectionFaultTests {
    private static let begin = 1_767_225_600.0

    /// A separate server with one namespace at `/-/t`.
    private struct Origin: ~Copyable {
        let server: MockServer
        let clock = VirtualClock(wallSeconds: begin)
        let namespace: OriginNamespace

        init(_ faults: String) throws {
            server = MockServer(clock: clock)
            try server.start()
            var answer = Answer()
            answer.body = .text("one")
            namespace = server.open(
                token: "t",
                routes: [Route(label: "1", answers: [answer])],
                clock: clock,
                startedAt: begin,
                faults: FaultPlan(faults: try Fault.list(text: faults))
            )
        }

        deinit { server.stop() }

        func client() throws -> RawClient { try RawClient(port: server.port) }

        /// Waits until a condition holds, checked whenever something parks or ends.
        func wait(until condition: @escaping @Sendable (OriginNamespace) -> Bool) async {
            let (events, sink) = AsyncStream.makeStream(of: Void.self)
            namespace.onActivity { sink.yield() }
            if condition(namespace) { return }
            for await _ in events where condition(namespace) { return }
        }
    }

    @Test("A connection closed when accepted never responds; the next one does")
    func close() throws {
        let origin = try Origin("close@accept requests=1")
        #expect(try origin.client().isAtEnd())
        let second = try origin.client()
        try second.request("GET", "/-/t/a")
        #expect(try second.response().text == "one")
    }

    @Test("Garbage precedes the response, and the request is read after it")
    func garbage() throws {
        let origin = try Origin("garbage=hello@accept")
        let client = try origin.client()
        #expect(try String(decoding: client.read(count: 5), as: UTF8.self) == "hello")
        try client.request("GET", "/-/t/a")
        #expect(try client.response().text == "one")
    }

    @Test(
        "The end of a connection comes after the other faults at its place, wherever it is in the list",
        arguments: ["accept", "request-head:20", "request-body:4"]
    )
    func endComesLast(place: String) throws {
        let origin = try Origin("close@\(place);garbage=hello@\(place)")
        let client = try origin.client()
        try client.request("POST", "/-/t/a", body: "0123456789")
        #expect(try String(decoding: client.read(count: 5), as: UTF8.self) == "hello")
    }

    @Test("A connection that is closed within its first request's head ends orderly, without a reset")
    func closedHead() throws {
        let origin = try Origin("close@request-head:20")
        let client = try origin.client()
        try client.request("GET", "/-/t/a")
        #expect(try client.isAtEnd())
        #expect(origin.namespace.record().isEmpty)
    }

    @Test("A connection is reset when a number of bytes of its first request have arrived, not before")
    func requestHead() throws {
        let origin = try Origin("reset@request-head:20")
        let client = try origin.client()
        try client.send("GET /-/t/a HTTP/1.1")
        try client.send("\r")
        #expect(throws: RawClient.Failure.self) { try client.response() }
        #expect(origin.namespace.record().isEmpty)
    }

    @Test("A TLS hello triggers the faults of the handshake, and a plain request does not")
    func handshake() throws {
        let origin = try Origin("close@tls-handshake:5")
        let plain = try origin.client()
        try plain.request("GET", "/-/t/a")
        #expect(try plain.response().text == "one")
        let secure = try origin.client()
        try secure.send([22, 3, 1, 2, 0])
        // Whether the end or a reset arrives depends on what was read by then.
        let isFinished = (try? secure.isAtEnd()) ?? true
        #expect(isFinished)
    }

    @Test("Reading continues after a stall, on the origin's clock")
    func stalledContent() async throws {
        let origin = try Origin("stall=30s@request-body:4")
        let client = try origin.client()
        try client.request("POST", "/-/t/a", body: "0123456789")
        await origin.wait { !$0.parked.isEmpty }
        #expect(origin.namespace.record().isEmpty)
        origin.clock.advance(by: .seconds(30))
        #expect(try client.response().text == "one")
        #expect(origin.namespace.record()[0].body == Array("0123456789".utf8))
    }

    @Test("Content is read at a limited rate", arguments: [1, 7])
    func slowContent(rate: Int) async throws {
        let origin = try Origin("slow=\(rate)@request-body:3")
        let client = try origin.client()
        try client.request("POST", "/-/t/a", body: "0123456789")
        for _ in 0..<7 {
            await origin.wait { !$0.parked.isEmpty }
            origin.clock.advanceToNextDeadline()
        }
        #expect(try client.response().text == "one")
        #expect((origin.clock.elapsed - .seconds(1) * 7 / rate).seconds.magnitude < 0.001)
    }

    @Test("A server stops while the content of a request is not read")
    func stopWhileReading() async throws {
        let origin = try Origin("stall=forever@request-body")
        let client = try origin.client()
        try client.request("POST", "/-/t/a", body: "0123456789")
        await origin.wait { !$0.parked.isEmpty }
        origin.server.stop()
        // libmicrohttpd would abort the process if it were stopped with a suspended connection.
        #expect(origin.namespace.parked.isEmpty)
    }

    @Test("Connections are refused during an outage and accepted after it")
    func outage() throws {
        let origin = try Origin("refuse@accept from=10s for=5s every=20s")
        for _ in 0..<2 {
            let client = try origin.client()
            try client.request("GET", "/-/t/a")
            #expect(try client.response().text == "one")
            origin.clock.advance(by: .seconds(10))
            #expect(throws: RawClient.Failure.self) { try origin.client() }
            origin.clock.advance(by: .seconds(10))
        }
    }
}
