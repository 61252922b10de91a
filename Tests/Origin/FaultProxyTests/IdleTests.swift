import Locks
import TestSupport
import Testing

@testable import FaultProxy

@Suite("Connections between messages", .timeLimit(.minutes(20)), .blocking)
struct IdleTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func waitUntil(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    /// Returns a client that has received a response, on a connection that is idle now.
    private func idleClient(_ stage: ProxyStage) async throws -> RawClient {
        let client = try stage.client()
        try client.request("GET", "/")
        #expect(try client.response().text == "ok")
        await waitUntil { stage.proxy.runningTasks == 0 }
        return client
    }

    @Test(
        "An idle connection has no task, and passes the next request on the same connection to the upstream"
    )
    func next() async throws {
        let stage = try ProxyStage(answer: Self.answer)
        defer { stage.stop() }
        let client = try await idleClient(stage)
        for _ in 0..<3 {
            #expect(stage.proxy.openConnections == 1)
            try client.request("GET", "/")
            #expect(try client.response().text == "ok")
            await waitUntil { stage.proxy.runningTasks == 0 }
        }
        #expect(stage.origin.connections == 1)
    }

    @Test("A head that comes in two pieces after a pause is one request")
    func pieces() async throws {
        let stage = try ProxyStage(answer: Self.answer)
        defer { stage.stop() }
        let client = try await idleClient(stage)
        try client.send("GET /a HT")
        await waitUntil { stage.proxy.runningTasks == 1 }
        try client.send("TP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.response().text == "ok")
    }

    @Test("The end of an idle client ends the connection to the upstream")
    func clientEnds() async throws {
        let ends = Lock(0)
        let stage = try ProxyStage(origin: { connection in
            while connection.readHead() != nil { connection.send(Self.answer) }
            ends.withLock { $0 += 1 }
        })
        defer { stage.stop() }
        let client = try await idleClient(stage)
        client.close()
        await waitUntil { ends.withLock { $0 } == 1 && stage.proxy.openConnections == 0 }
    }

    @Test("The end of the upstream ends an idle client's connection")
    func upstreamEnds() async throws {
        let stage = try ProxyStage(origin: { connection in
            _ = connection.readHead()
            connection.send(Self.answer)
            _ = connection.readHead()
            connection.close()
        })
        defer { stage.stop() }
        let client = try await idleClient(stage)
        try client.request("GET", "/")
        #expect(try client.isAtEnd())
        client.close()
        await waitUntil { stage.proxy.openConnections == 0 }
    }

    @Test("Stopping ends idle connections")
    func stops() async throws {
        let stage = try ProxyStage(answer: Self.answer)
        defer { stage.stop() }
        let clients = [try await idleClient(stage), try await idleClient(stage)]
        stage.proxy.stop()
        for client in clients { #expect(try client.isAtEnd()) }
        #expect(stage.proxy.openConnections == 0)
    }
}
