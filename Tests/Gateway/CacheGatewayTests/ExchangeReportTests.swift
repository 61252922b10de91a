import CacheGateway
import Clocks
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Reports of a gateway's exchanges", .timeLimit(.minutes(20)), .blocking)
struct ExchangeReportTests {
    private let reports: AsyncStream<GatewayExchange>
    private let sink: AsyncStream<GatewayExchange>.Continuation

    init() { (reports, sink) = AsyncStream.makeStream() }

    private func fixture(
        _ answer: Answer,
        clock: any TimeSource = VirtualClock(wallSeconds: 1_767_225_600)
    ) throws -> GatewayFixture {
        try GatewayFixture([Route(label: "1", answers: [answer])], clock: clock) { [sink] configuration in
            configuration.onExchange = { sink.yield($0) }
        }
    }

    @Test("A miss, a hit and a repeated hit are one report each, with the Cache-Status of the response")
    func hits() async throws {
        let fixture = try fixture(.fresh("hello"))
        let fields = try (1...3).map { _ in try fixture.ask()["Cache-Status"] }
        let seen = await first(3)
        #expect(seen.map(\.requestLine) == Array(repeating: "GET \(fixture.target()) HTTP/1.1", count: 3))
        #expect(seen.map { $0.cacheStatus?.description } == fields)
        #expect(seen.map { $0.cacheStatus?.isHit } == [false, true, true])
        #expect(seen.map(\.status) == [200, 200, 200])
        #expect(seen.map(\.contentSize.bytes) == [5, 5, 5])
        #expect(seen.allSatisfy { $0.isComplete && $0.duration == .zero })
    }

    @Test("The duration is that of the clock, from the request to the end of the response")
    func duration() async throws {
        let clock = VirtualClock(wallSeconds: 1_767_225_600)
        let fixture = try fixture(.fresh("hello") { $0.hold = .head }, clock: clock)
        let client = try fixture.client()
        try client.request("GET", fixture.target())
        await fixture.wait { !fixture.namespace.parked.isEmpty }
        clock.advance(by: .milliseconds(1500))
        _ = fixture.namespace.release(label: nil)
        #expect(try client.response().status == 200)
        let seen = await first(1)
        #expect(seen.map(\.startedAt) == [.seconds(1_767_225_600)])
        #expect(seen.map(\.duration) == [.milliseconds(1500)])
        #expect(
            seen[0].description.hasPrefix("\"GET \(fixture.target()) HTTP/1.1\" 200 5 1.5 s CacheCheck; fwd=")
        )
    }

    @Test("A refused request has a status, and none of the cache; a missing origin has a 502")
    func failures() async throws {
        let fixture = try fixture(.fresh("hello"))
        let client = try fixture.client()
        try client.request("CONNECT", "a.example:443")
        let refused = try client.response().status
        try fixture.server.stopListening()
        #expect(try fixture.ask("GET", "/2").status == 502)
        let seen = await first(2)
        #expect(seen.map(\.method) == ["CONNECT", "GET"])
        #expect(seen.map(\.status) == [refused, 502])
        #expect(seen.map { $0.cacheStatus?.forward } == [nil, .uriMiss])
    }

    private func first(_ count: Int) async -> [GatewayExchange] {
        var seen: [GatewayExchange] = []
        for await report in reports {
            seen.append(report)
            if seen.count == count { break }
        }
        return seen
    }
}
