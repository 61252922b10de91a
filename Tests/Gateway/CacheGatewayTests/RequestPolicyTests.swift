import CacheClient
import CacheGateway
import CacheSemantics
import CacheStorage
import Clocks
import MockOrigin
import OriginScript
import TestSupport
import Testing

@Suite("Request policies of a client behind a gateway", .timeLimit(.minutes(20)), .blocking)
struct RequestPolicyTests {
    @Test(
        "Of the policies that ignore the local cache, only the one that also ignores remote caches reaches the origin",
        .checks("urlcache.policy.reload-ignoring-local-and-remote"),
        arguments: [
            (RequestCachePolicy.reloadIgnoringLocalCacheData, "one", 1),
            (.reloadIgnoringLocalAndRemoteCacheData, "two", 2),
        ]
    )
    func pastTheGateway(policy: RequestCachePolicy, body: String, requests: Int) async throws {
        let fixture = try GatewayFixture(
            .fresh("one"),
            .fresh("two"),
            clock: VirtualClock(wallSeconds: 1_767_225_600)
        )
        let client = CachingClient(
            store: try CacheStore(CacheStore.Configuration(), clock: fixture.clock),
            transport: try CurlTransport(),
            clock: fixture.clock
        )
        let url = "http://127.0.0.1:\(fixture.gateway.port ?? 0)" + fixture.target()
        #expect(try await client.fetch(ClientRequest(url: url)).source == .origin)
        #expect(try await client.fetch(ClientRequest(url: url)).source == .memory)
        #expect(fixture.namespace.record().count == 1)
        let response = try await client.fetch(ClientRequest(url: url, policy: policy))
        #expect(response.source == .origin)
        #expect(response.text == body)
        #expect(fixture.namespace.record().count == requests)
    }
}
