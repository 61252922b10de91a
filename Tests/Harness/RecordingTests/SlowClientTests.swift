import CacheClient
import Clocks
import HTTPTypes
import Locks
import Recording
import TestSupport
import Testing

@Suite(
    "Clients that read more slowly than the origin sends, when recording",
    .timeLimit(.minutes(20)),
    .blocking
)
struct SlowClientTests {
    private static let length = 32 << 20

    private static func proxy(
        _ origin: FastOrigin,
        _ clock: VirtualClock,
        _ report: @escaping @Sendable (RecordedEvent) -> Void = { _ in }
    ) throws -> RecordingProxy {
        let configuration = RecordingProxy.Configuration(mode: .reverse(origin: "http://origin"))
        let proxy = RecordingProxy(configuration, transport: origin, clock: clock, report: report)
        try proxy.start()
        return proxy
    }

    @Test("The origin waits for a client that does not read, and everything arrives once it does")
    func held() throws {
        let origin = FastOrigin(length: Self.length)
        let proxy = try Self.proxy(origin, VirtualClock())
        defer { proxy.stop() }
        let client = try RawClient(port: proxy.port)
        try client.request("GET", "/")
        _ = try client.read(through: "\r\n\r\n")
        // The sockets buffer some of it.
        #expect(origin.sent <= 4 << 20)
        #expect(try client.read(count: Self.length).count == Self.length)
    }

    @Test("The time limit of an origin does not include the time for which it waits for the client")
    func time() async throws {
        let clock = VirtualClock()
        let origin = FastOrigin(length: Self.length) { clock.advance(by: .seconds(60)) }
        let (events, sink) = AsyncStream.makeStream(of: RecordedEvent.self)
        let proxy = try Self.proxy(origin, clock) { sink.yield($0) }
        defer { proxy.stop() }
        let client = try RawClient(port: proxy.port)
        try client.request("GET", "/")
        #expect(try client.response().body.count == Self.length)
        var first = events.makeAsyncIterator()
        guard case .exchange(let exchange) = await first.next() else {
            Issue.record("It is not recorded.")
            return
        }
        #expect(exchange.response.body.count == Self.length)
        #expect(exchange.duration >= .seconds(60), "the origin had to wait")
    }
}

/// An origin in this process that sends content whenever it may.
private final class FastOrigin: Transport {
    private let length: Int
    private let onResume: @Sendable () -> Void
    private let count = Lock(0)
    // The pool's threads are busy with tests that wait for answers.
    let executor: (any TaskExecutor)? = ThreadExecutor()

    /// Creates an origin; `onResume` is called before it continues.
    init(length: Int, onResume: @escaping @Sendable () -> Void = {}) {
        (self.length, self.onResume) = (length, onResume)
    }

    /// Bytes of content until now.
    var sent: Int { count.withLock { $0 } }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        receiver.receive(head: HTTPResponse(status: .ok, headerFields: [.contentLength: "\(length)"]))
        let response = Response(self, receiver)
        response.send()
        return response
    }

    private final class Response: TransportExchange {
        private let origin: FastOrigin
        private let receiver: any TransportReceiver

        init(_ origin: FastOrigin, _ receiver: any TransportReceiver) {
            (self.origin, self.receiver) = (origin, receiver)
        }

        func send() {
            // So large that the origin has to wait after each.
            let piece = [UInt8](repeating: 0x78, count: 512 << 10)
            while origin.sent < origin.length {
                origin.count.withLock { $0 += piece.count }
                guard receiver.receive(piece: piece) else { return }
            }
            receiver.receive(end: .success(TransportEnd()))
        }

        func resume() {
            origin.onResume()
            send()
        }

        func cancel() {}
    }
}
