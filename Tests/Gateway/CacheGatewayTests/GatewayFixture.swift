import CacheClient
import CacheGateway
import CacheStorage
import Clocks
import MockOrigin
import OriginScript
import TestSupport

/// An origin with one namespace, and a gateway in front of it.
final class GatewayFixture: Sendable {
    let server: MockServer
    let namespace: OriginNamespace
    let gateway: Gateway
    let clock: any TimeSource

    init(
        _ routes: [Route],
        store: CacheStore.Configuration = .init(),
        clock: any TimeSource = SystemClock(),
        _ change: (inout Gateway.Configuration) -> Void = { _ in }
    ) throws {
        self.clock = clock
        server = MockServer(clock: clock)
        try server.start()
        namespace = server.open(token: "t", routes: routes, clock: clock, startedAt: clock.wallSeconds)
        var configuration = Gateway.Configuration(mode: .reverse(origin: server.url))
        change(&configuration)
        gateway = Gateway(
            configuration,
            store: try CacheStore(store, clock: clock),
            transport: try CurlTransport(),
            clock: clock
        )
        try gateway.start()
    }

    convenience init(_ answers: Answer..., clock: any TimeSource = SystemClock()) throws {
        try self.init([Route(label: "1", answers: answers)], clock: clock)
    }

    deinit {
        gateway.stop()
        server.stop()
    }

    func client() throws -> RawClient { try RawClient(port: gateway.port) }

    /// Returns the target of a path in the origin's namespace.
    func target(_ path: String = "/1") -> String { namespace.base + path }

    /// Sends one request on a separate connection.
    func ask(_ method: String = "GET", _ path: String = "/1", _ lines: [String] = [], body: String = "")
        throws
        -> RawResponse
    {
        let client = try client()
        try client.request(method, target(path), lines, body: body)
        return try client.response(toHead: method == "HEAD")
    }

    /// Waits until a condition holds, checked whenever an exchange parks or ends at the origin.
    func wait(until condition: @Sendable () -> Bool) async {
        let (events, sink) = AsyncStream.makeStream(of: Void.self)
        namespace.onActivity { sink.yield() }
        if condition() { return }
        for await _ in events where condition() { return }
    }
}

extension Answer {
    /// Returns an answer of 200 that is fresh for a minute.
    static func fresh(_ text: String, _ change: (inout Answer) -> Void = { _ in }) -> Answer {
        var answer = Answer()
        answer.fields = [FieldLine("Cache-Control", .text("max-age=60"))]
        answer.body = .text(text)
        change(&answer)
        return answer
    }
}
