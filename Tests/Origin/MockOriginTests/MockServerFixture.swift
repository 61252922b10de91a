import Clocks
import MockOrigin
import OriginScript
import TestSupport

/// A server, one namespace and a virtual clock that stands at 2026-01-01T00:00:00Z.
final class MockServerFixture: Sendable {
    static let begin = 1_767_225_600.0
    let server: MockServer
    let clock = VirtualClock(wallSeconds: begin)
    let namespace: OriginNamespace

    init(_ routes: [Route]) throws {
        server = MockServer(clock: clock)
        try server.start()
        namespace = server.open(token: "t", routes: routes, clock: clock, startedAt: Self.begin)
    }

    convenience init(_ answers: Answer...) throws {
        try self.init([Route(label: "1", answers: answers)])
    }

    deinit { server.stop() }

    func client() throws -> RawClient { try RawClient(port: server.port) }

    /// Waits until a condition holds, checked whenever an exchange parks or ends.
    func wait(until condition: @Sendable () -> Bool) async {
        let (events, sink) = AsyncStream.makeStream(of: Void.self)
        namespace.onActivity { sink.yield() }
        if condition() { return }
        for await _ in events where condition() { return }
    }
}

extension Answer {
    /// Returns an answer after changes.
    static func with(_ change: (inout Answer) -> Void) -> Answer {
        var answer = Answer()
        change(&answer)
        return answer
    }

    /// Returns an answer of 200 with a text.
    static func text(_ text: String, _ change: (inout Answer) -> Void = { _ in }) -> Answer {
        with { answer in
            answer.body = .text(text)
            change(&answer)
        }
    }
}
