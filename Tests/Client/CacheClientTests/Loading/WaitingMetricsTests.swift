import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Testing

@Suite("What the metrics say about a request that waited for another's response", .timeLimit(.minutes(20)))
struct WaitingMetricsTests {
    @Test(
        "The metrics of a request that waited for another's have the times of its own, and that it sent nothing"
    )
    func metrics() async throws {
        let clock = VirtualClock()
        let transport = HeldTransport()
        let store = try CacheStore(CacheStore.Configuration(), clock: clock)
        var configuration = CachingClient.Configuration()
        // The only timer is that of the request that waits.
        configuration.defaultTimeout = nil
        let client = CachingClient(configuration, store: store, transport: transport, clock: clock)
        let url = "http://example.test/"
        let leader = Task { try await client.fetch(ClientRequest(url: url)) }
        var receivers = transport.receivers.makeAsyncIterator()
        let receiver = try #require(await receivers.next())
        clock.advance(by: .seconds(5))
        let follower = Task { try await client.fetch(ClientRequest(url: url, timeout: .seconds(60))) }
        await clock.waitForSleeper()
        clock.advance(by: .seconds(10))
        receiver.receive(head: HTTPResponse(status: .notFound, headerFields: [.cacheControl: "max-age=60"]))
        #expect(receiver.receive(piece: [0x78]))
        receiver.receive(end: .success(TransportEnd()))
        let led = try #require(try await leader.value.metrics.last)
        #expect((led.startedAt, led.headAt, led.endedAt) == (.zero, .seconds(15), .seconds(15)))
        let waited = try #require(try await follower.value.metrics.last)
        #expect(
            (waited.startedAt, waited.headAt, waited.endedAt) == (.seconds(5), .seconds(15), .seconds(15))
        )
        #expect(waited.status == 404 && waited.version == .http11 && waited.contentSize == .bytes(1))
        #expect(waited.attempts == 0 && waited.sentSize == .zero && waited.isReusedConnection == nil)
    }
}
