import CacheClient
import CacheStorage
import Clocks
import Fetching
import ImageLoading
import OriginScript
import Testing
import TestSupport

@Suite("Applications' own stores below the networking stack", .timeLimit(.minutes(20)))
struct OwnStoreTests {
    /// Stores only what the application has permitted.
    private final class Permitted: ResponseStoreDecorator {
        let base: any ResponseStore
        private let name: String

        init(_ base: any ResponseStore, name: String) { (self.base, self.name) = (base, name) }

        func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
            entry.stored.key.targetURI.hasSuffix(name)
                ? base.put(entry, watchedBy: watch) : .refused(.notAllowed)
        }
    }

    private let origin: ImageOrigin
    private let store: Permitted

    init() throws {
        let image = Answer.image(try TestImages.png(), type: "image/png", cacheControl: "max-age=60")
        origin = try ImageOrigin([.path("/permitted", [image]), .path("/other", [image])])
        store = Permitted(
            try CacheStore(CacheStore.Configuration(), clock: origin.clock),
            name: "/permitted"
        )
    }

    private func hits() -> [Int] { [origin.hits("/permitted"), origin.hits("/other")] }

    @Test(
        "A session reuses what the application's rules let it store",
        .checks("customurlcache.applies-to-all-policies")
    )
    func session() async throws {
        var configuration = FetchConfiguration()
        configuration.serializer = BytesSerializer()
        let session = FetchSession(
            configuration,
            store: store,
            transport: origin.transport,
            clock: origin.clock
        )
        for path in ["/permitted", "/permitted", "/other", "/other"] {
            _ = try await session.get(origin.url(path))
        }
        #expect(hits() == [1, 2])
    }

    @Test("An image loader reuses what the application's rules let it store")
    func loader() async throws {
        let loader = try ImageProfile.afNetworking.loader(
            directory: nil,
            transport: origin.transport,
            clock: origin.clock,
            pressure: nil,
            urlCache: store
        )
        for path in ["/permitted", "/permitted", "/other", "/other"] {
            _ = try await loader.image(for: ImageRequest(url: origin.url(path)))
            // So that only the HTTP cache can have the image.
            loader.store.clearMemory()
        }
        #expect(hits() == [1, 2])
    }
}
