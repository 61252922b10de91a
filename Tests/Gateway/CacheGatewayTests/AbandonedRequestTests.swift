import CacheGateway
import Clocks
import Locks
import Testing
import TestSupport

@Suite("Unsafe requests whose caller disconnects, RFC 9111 §4.4", .timeLimit(.minutes(5)), .blocking)
struct AbandonedRequestTests {
    /// An origin that answers each GET with its number, fresh for an hour, and holds any other request until it is carried out.
    private struct Origin {
        let server: ScriptedServer
        let arrived = Gate()
        let carriedOut = Gate()

        init(answer: String) {
            let (arrived, carriedOut, count) = (arrived, carriedOut, Lock(0))
            server = ScriptedServer { connection in
                while let head = connection.readHead() {
                    guard head.hasPrefix("GET") else {
                        arrived.open()
                        carriedOut.wait()
                        if answer.isEmpty { return }
                        connection.send(answer)
                        continue
                    }
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    connection.send(
                        "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nContent-Length: 1\r\n\r\n\(number)"
                    )
                }
            }
        }
    }

    private func get(_ fixture: GatewayFixture) throws -> String { try fixture.ask("GET", "/1").text }

    /// Asks until the response is `text`, which needs events that the caller cannot see; returns the last response.
    private func get(_ fixture: GatewayFixture, until text: String) throws -> String {
        for _ in 0..<5_000 where try get(fixture) == text { return text }
        return try get(fixture)
    }

    /// Sends an unsafe request, and disconnects when it has arrived at the origin.
    private func abandon(_ method: String, _ fixture: GatewayFixture, _ origin: Origin) throws {
        let caller = try fixture.client()
        try caller.request(method, fixture.target(), ["Content-Length: 0"])
        origin.arrived.wait()
        caller.close()
    }

    @Test(
        "What is stored while the origin still carries out an abandoned request is not used once it has",
        arguments: ["POST", "DELETE", "FOO"],
        ["HTTP/1.1 204 No Content\r\n\r\n", "", "no HTTP\r\n\r\n"]
    )
    func carriedOut(method: String, answer: String) throws {
        let origin = Origin(answer: answer)
        defer { origin.server.stop() }
        let fixture = try GatewayFixture([]) { $0.mode = .reverse(origin: origin.server.url) }
        #expect(try get(fixture) == "1")
        try abandon(method, fixture, origin)
        // It may have been carried out already, so what was stored before is not used any more.
        #expect(try get(fixture, until: "2") == "2")
        #expect(try get(fixture) == "2")
        origin.carriedOut.open()
        #expect(try get(fixture, until: "3") == "3")
    }

    @Test("An abandoned request that the origin never answers ends with the origin's timeout")
    func unanswered() async throws {
        let origin = Origin(answer: "")
        defer { origin.server.stop() }
        let clock = VirtualClock(wallSeconds: 1_000_000)
        let fixture = try GatewayFixture([], clock: clock) {
            $0.mode = .reverse(origin: origin.server.url)
            $0.originTimeout = .seconds(30)
        }
        #expect(try get(fixture) == "1")
        try abandon("POST", fixture, origin)
        #expect(try get(fixture, until: "2") == "2")
        clock.advance(by: .seconds(30))
        #expect(try get(fixture, until: "3") == "3")
        origin.carriedOut.open()
    }

    @Test(
        "A caller that disconnects before it has sent the content of an unsafe request ends it at the origin"
    )
    func incomplete() throws {
        let (arrived, closed) = (Gate(), Gate())
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            arrived.open()
            connection.waitForClose()
            closed.open()
        }
        defer { server.stop() }
        let fixture = try GatewayFixture([]) { $0.mode = .reverse(origin: server.url) }
        let caller = try fixture.client()
        try caller.send("POST \(fixture.target()) HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        arrived.wait()
        caller.close()
        closed.wait()
    }
}
