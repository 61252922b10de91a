import CacheGateway
import CacheStorage
import Clocks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Collapsed requests of several callers, RFC 9111 §4", .timeLimit(.minutes(20)), .blocking)
struct CollapsingTests {
    private static let size = 6 << 20

    private static func fixture(largest: Int) throws -> GatewayFixture {
        let large = Answer.fresh("") { $0.body = .generated(size: size) }
        let store = CacheStore.Configuration(
            memoryCapacity: .bytes(largest),
            diskCapacity: .zero,
            largestShare: 1
        )
        // Content that a caller read before it stopped is released after some time.
        let clock = VirtualClock(wallSeconds: 1_000_000)
        return try GatewayFixture([Route(label: "1", answers: [large])], store: store, clock: clock)
    }

    @Test(
        "A caller that does not read does not delay another with the same request, which is not sent again"
    )
    func slowLeader() throws {
        let fixture = try Self.fixture(largest: 7 << 20)
        let slow = try fixture.client()
        try slow.request("GET", fixture.target())
        _ = try slow.read(through: "\r\n\r\n")
        #expect(try fixture.ask("GET", "/1", ["User-Agent: other"]).body.count == Self.size)
        #expect(fixture.namespace.record().count == 1)
        #expect(try slow.read(count: Self.size).count == Self.size)
    }

    @Test("A waiting caller gets the whole content even if the first caller has disconnected")
    func goneLeader() throws {
        let fixture = try Self.fixture(largest: 7 << 20)
        let first = try fixture.client()
        try first.request("GET", fixture.target())
        _ = try first.read(through: "\r\n\r\n")
        let second = try fixture.client()
        try second.request("GET", fixture.target())
        first.close()
        #expect(try second.response().body.count == Self.size)
    }

    @Test("Callers do not wait for content that is too large for the store")
    func tooLarge() throws {
        let fixture = try Self.fixture(largest: 1 << 20)
        let slow = try fixture.client()
        try slow.request("GET", fixture.target())
        _ = try slow.read(through: "\r\n\r\n")
        #expect(try fixture.ask().body.count == Self.size)
        #expect(fixture.namespace.record().count == 2)
    }
}
