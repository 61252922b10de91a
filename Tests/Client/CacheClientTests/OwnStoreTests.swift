import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import Locks
import TestSupport
import Testing

@Suite("Stores with an application's own rules", .timeLimit(.minutes(20)))
struct OwnStoreTests {
    /// Does not store what is longer than a limit, and does not find what is private.
    private final class RulesOfApplication: ResponseStoreDecorator {
        let base: any ResponseStore
        private let limit: Int

        init(_ base: any ResponseStore, limit: Int) { (self.base, self.limit) = (base, limit) }

        func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
            entry.body.count > limit ? .refused(.notAllowed) : base.put(entry, watchedBy: watch)
        }

        func entries(for key: CacheKey) -> StoredEntries {
            key.targetURI.contains("/private") ? StoredEntries() : base.entries(for: key)
        }
    }

    @Test(
        "A client stores and finds what an application's own rules permit",
        .checks("customurlcache.applies-to-all-policies", "http.protocol-neutral-policies")
    )
    func rules() async throws {
        let test = try TestClient()
        let store = RulesOfApplication(test.store, limit: 3)
        let client = CachingClient(store: store, transport: test.transport, clock: test.clock)
        let server = ScriptedServer { number, _ in
            answer("200 OK", "Cache-Control: max-age=60", body: number < 3 ? "\(number)" : "longer")
        }
        let (short, hidden) = (server.url + "/short", server.url + "/private")
        for url in [short, hidden] { _ = try await client.fetch(ClientRequest(url: url)) }
        #expect(test.store.entryCount == 2)
        #expect(try await client.fetch(ClientRequest(url: short)).source == .memory)
        #expect(client.cachedResponse(for: ClientRequest(url: hidden)) == nil)
        let long = ClientRequest(url: server.url + "/long")
        for _ in 0..<2 { #expect(try await client.fetch(long).source == .origin) }
        #expect(test.store.entryCount == 2)
    }
}
