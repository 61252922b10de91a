import Clocks
import HTTPServing
import Locks
import Testing
import TestSupport

@Suite("Replies as steps", .timeLimit(.minutes(20)), .blocking)
struct RawReplyTests {
    /// Answers every request with one reply.
    private final class Script: RequestHandler {
        let clock = VirtualClock(wallSeconds: 0)
        let arrivedAt: Duration?
        let parked = Lock(0)
        let ends = Lock<[ExchangeEnd]>([])
        private let steps: [RawReply.Step]
        private let ending: RawReply.Ending

        init(_ steps: [RawReply.Step], _ ending: RawReply.Ending = .close, arrivedAt: Duration? = nil) {
            (self.steps, self.ending, self.arrivedAt) = (steps, ending, arrivedAt)
        }

        func preparedResponse(for head: RequestHead) -> PreparedResponse? { nil }

        func preparedWasCut(connection: UInt64, after whole: Int) {}

        func reply(to request: ServedRequest) -> RawReply {
            var reply = RawReply(steps, ending: ending, clock: clock, observer: Observer(script: self))
            reply.arrivedAt = arrivedAt
            return reply
        }

        func refusal(of request: ServedRequest, for problem: RequestProblem) -> RawReply {
            RawReply([], ending: .close, clock: clock)
        }

        func awaitParked(_ count: Int = 1) async {
            while parked.withLock({ $0 }) < count { await Task.yield() }
        }

        func awaitEnd() async -> [ExchangeEnd] {
            while ends.withLock({ $0.isEmpty }) { await Task.yield() }
            return ends.withLock { $0 }
        }
    }

    private struct Observer: ExchangeObserver {
        let script: Script

        func exchangeBegan(_ exchange: RawExchange) {}
        func exchangeParked() { script.parked.withLock { $0 += 1 } }
        func exchangeEnded(_ end: ExchangeEnd, bytesSent: Int) { script.ends.withLock { $0.append(end) } }
    }

    private static func text(_ text: String) -> RawReply.Step { .write(Array(text.utf8)[...]) }

    private static let whole = text("HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok")

    private func ask(_ script: Script) throws -> (server: HTTPServer, client: RawClient) {
        let server = HTTPServer(HTTPServer.Configuration(), handler: script)
        try server.start()
        let client = try RawClient(port: server.port)
        try client.request("GET", "/")
        return (server, client)
    }

    @Test("Bytes are sent unchanged, whether they are HTTP or not")
    func unchanged() throws {
        let (server, client) = try ask(
            Script([Self.text("HTTP/9 what\n"), Self.text("\0\r"), Self.text("")])
        )
        defer { server.stop() }
        #expect(try client.readToEnd() == Array("HTTP/9 what\n\0\r".utf8))
    }

    @Test("A connection that is kept alive serves the next request")
    func keepAlive() async throws {
        let script = Script([Self.whole], .keepAlive)
        let (server, client) = try ask(script)
        defer { server.stop() }
        #expect(try client.response().text == "ok")
        try client.request("GET", "/")
        #expect(try client.response().text == "ok")
        #expect(server.acceptedConnections == 1)
    }

    @Test(
        "A closed connection ends after the bytes",
        arguments: [RawReply.Ending.close, .cut, .drainAndClose]
    )
    func closing(ending: RawReply.Ending) async throws {
        let script = Script([Self.whole], ending)
        let (server, client) = try ask(script)
        defer { server.stop() }
        #expect(try client.response().text == "ok")
        #expect(try client.isAtEnd())
        client.close()
        #expect(await script.awaitEnd() == [.complete])
    }

    @Test("A reset connection is reset for the client, too")
    func resetting() throws {
        let (server, client) = try ask(Script([], .reset))
        defer { server.stop() }
        #expect(throws: RawClient.Failure.self) { try client.readToEnd() }
    }

    @Test(
        "Bytes before a wait are sent before it, and those behind it after the time has passed on the clock"
    )
    func waiting() async throws {
        let script = Script([Self.text("a"), .wait(.seconds(10)), Self.text("b")])
        let (server, client) = try ask(script)
        defer { server.stop() }
        #expect(try client.read(count: 1) == Array("a".utf8))
        await script.awaitParked()
        script.clock.advance(by: .seconds(9))
        #expect(script.ends.withLock { $0.isEmpty })
        script.clock.advance(by: .seconds(1))
        #expect(try client.readToEnd() == Array("b".utf8))
    }

    @Test(
        "The waits before the first byte count from the arrival of the request, others from when they are reached"
    )
    func waitingSinceArrival() async throws {
        let steps = [
            .wait(.seconds(10)), .wait(.seconds(20)), Self.text("a"), .wait(.seconds(10)), Self.text("b"),
        ]
        let script = Script(steps, arrivedAt: .zero)
        // Moved between the arrival and the first wait.
        script.clock.advance(by: .seconds(30))
        let (server, client) = try ask(script)
        defer { server.stop() }
        #expect(try client.read(count: 1) == Array("a".utf8))
        await script.awaitParked()
        script.clock.advance(by: .seconds(10))
        #expect(try client.readToEnd() == Array("b".utf8))
    }

    @Test("A pause takes the time that is asked for when it is reached")
    func pausing() async throws {
        let asked = Lock(0)
        let pause = RawReply.Step.pause {
            asked.withLock { $0 += 1 }
            return .seconds(5)
        }
        let script = Script([Self.text("a"), .wait(.seconds(1)), pause, Self.text("b")])
        let (server, client) = try ask(script)
        defer { server.stop() }
        _ = try client.read(count: 1)
        await script.awaitParked()
        #expect(asked.withLock { $0 } == 0)
        script.clock.advance(by: .seconds(1))
        await script.awaitParked(2)
        #expect(asked.withLock { $0 } == 1)
        script.clock.advance(by: .seconds(5))
        #expect(try client.readToEnd() == Array("b".utf8))
    }

    @Test("A held reply continues when its hold is released")
    func holding() async throws {
        let hold = Hold()
        let script = Script([.hold(hold), Self.whole])
        let (server, client) = try ask(script)
        defer { server.stop() }
        await script.awaitParked()
        #expect(script.ends.withLock { $0.isEmpty })
        hold.release()
        #expect(try client.response().text == "ok")
    }

    @Test("A pause without end lasts until the server stops, which the observer learns")
    func stopping() async throws {
        let script = Script([Self.text("a"), .pause { nil }, Self.text("b")])
        let (server, client) = try ask(script)
        #expect(try client.read(count: 1) == Array("a".utf8))
        await script.awaitParked()
        server.stop()
        #expect(await script.awaitEnd() == [.stopped])
        #expect(!(try client.readToEnd().contains(UInt8(ascii: "b"))))
    }

    @Test("A client that leaves during a wait aborts the exchange")
    func aborting() async throws {
        let script = Script([Self.text("a"), .wait(.seconds(10)), Self.text("b")])
        let (server, client) = try ask(script)
        defer { server.stop() }
        _ = try client.read(count: 1)
        await script.awaitParked()
        client.close()
        #expect(await script.awaitEnd() == [.aborted])
    }

    @Test("A decision replaces the steps and the ending behind it")
    func deciding() async throws {
        let rest = RawReply.Rest([Self.whole], ending: .keepAlive)
        let script = Script([.decide { rest }, Self.text("never")], .reset)
        let (server, client) = try ask(script)
        defer { server.stop() }
        for _ in 0..<2 {
            #expect(try client.response().text == "ok")
            try client.request("GET", "/")
        }
    }

    @Test("A step that ends the reply omits those behind it")
    func ending() throws {
        let script = Script([Self.whole, .end(.close), Self.text("never")], .keepAlive)
        let (server, client) = try ask(script)
        defer { server.stop() }
        #expect(try client.response().text == "ok")
        #expect(try client.isAtEnd())
    }

    @Test("A reply that waits for input continues when so many bytes are unread")
    func input() throws {
        let script = Script([Self.text("a"), .input(3), Self.text("b")], .drainAndClose)
        let (server, client) = try ask(script)
        defer { server.stop() }
        _ = try client.read(count: 1)
        try client.send("xyz")
        #expect(try client.read(count: 1) == Array("b".utf8))
    }

    @Test("Produced content is asked for in order, in pieces of at most 64 KiB")
    func producing() throws {
        let asked = Lock<[Range<Int>]>([])
        let producer = ContentProducer(count: 300_000) { places in
            asked.withLock { $0.append(places) }
            return places.map { UInt8(truncatingIfNeeded: $0 % 251) }[...]
        }
        let (server, client) = try ask(Script([Self.text("x"), .produce(producer.dropFirst(1000))]))
        defer { server.stop() }
        #expect(
            try client.readToEnd().dropFirst()
                == (1000..<300_000).map { UInt8(truncatingIfNeeded: $0 % 251) }[...]
        )
        let ranges = asked.withLock { $0 }
        #expect(ranges.first?.lowerBound == 1000 && ranges.last?.upperBound == 300_000)
        #expect(ranges.allSatisfy { $0.count <= 64 << 10 })
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound >= $1.lowerBound })
    }

    @Test("Content that cannot be produced to its end ends the connection")
    func failingProducer() throws {
        let producer = ContentProducer(count: 300_000) { places in
            places.lowerBound > 0 ? nil : [UInt8](repeating: 7, count: places.count)[...]
        }
        let (server, client) = try ask(Script([.produce(producer), Self.text("never")], .keepAlive))
        defer { server.stop() }
        #expect(try client.readToEnd().allSatisfy { $0 == 7 })
    }

    @Test("A producer without its first bytes has the rest of its content", arguments: [-1, 0, 3, 5, 9])
    func dropping(count: Int) {
        let producer = ContentProducer(count: 5) { $0.map { UInt8($0) }[...] }.dropFirst(count)
        let rest = Array([0, 1, 2, 3, 4].dropFirst(max(0, count))) as [UInt8]
        #expect(producer.count == rest.count)
        #expect(producer.bytes(0..<producer.count).map { Array($0) } == rest)
    }
}
