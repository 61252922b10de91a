import CacheGateway
import Clocks
import Locks
import Testing
import TestSupport

@Suite("Unsafe requests without a response, RFC 9111 §4.4", .timeLimit(.minutes(20)), .blocking)
struct AbandonedRequestTests {
    /// An origin that answers each GET with its number, fresh for an hour, and holds other requests.
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

    private let clock = VirtualClock(wallSeconds: 1_000_000)

    private func gateway(_ origin: Origin) throws -> GatewayFixture {
        try GatewayFixture([], clock: clock) { $0.mode = .reverse(origin: origin.server.url) }
    }

    private func get(_ fixture: GatewayFixture) throws -> String { try fixture.ask("GET", "/1").text }

    /// Asks until the response is `text`, which needs events that the caller cannot see; returns the last response.
    private func get(_ fixture: GatewayFixture, until text: String, tries: Int = 5_000) throws -> String {
        for _ in 0..<tries where try get(fixture) == text { return text }
        return try get(fixture)
    }

    @Test(
        "What is stored after the caller of an unsafe request has left is not used after ten seconds",
        arguments: ["POST", "DELETE", "FOO"]
    )
    func left(method: String) throws {
        let origin = Origin(answer: "")
        defer { origin.server.stop() }
        let fixture = try gateway(origin)
        #expect(try get(fixture) == "1")
        let caller = try fixture.client()
        try caller.request(method, fixture.target(), ["Content-Length: 0"])
        origin.arrived.wait()
        caller.close()
        // The origin may have carried it out already, so what was stored before is no longer used.
        #expect(try get(fixture, until: "2") == "2")
        clock.advance(by: .seconds(9))
        #expect(try get(fixture) == "2")
        origin.carriedOut.open()
        clock.advance(by: .seconds(1))
        #expect(try get(fixture, until: "3") == "3")
    }

    @Test("What is stored after an unsafe request has failed is not used after ten seconds")
    func closed() throws {
        let origin = Origin(answer: "")
        defer { origin.server.stop() }
        let fixture = try gateway(origin)
        origin.carriedOut.open()
        #expect(try fixture.ask("POST", "/1").status == 502)
        #expect(try get(fixture) == "1")
        clock.advance(by: .seconds(10))
        #expect(try get(fixture, until: "2") == "2")
    }

    @Test("An unsafe request that was answered invalidates only once")
    func answered() throws {
        let origin = Origin(answer: "HTTP/1.1 204 No Content\r\n\r\n")
        defer { origin.server.stop() }
        let fixture = try gateway(origin)
        origin.carriedOut.open()
        #expect(try get(fixture) == "1")
        #expect(try fixture.ask("POST", "/1").status == 204)
        #expect(try get(fixture) == "2")
        clock.advance(by: .seconds(10))
        #expect(try get(fixture, until: "3", tries: 200) == "2")
    }
}
