import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import OriginScript
import Testing
import TestSupport

@Suite("The chained fetcher's image levels below its chains", .timeLimit(.minutes(20)))
struct FetchedImageCacheTests {
    private let folder: TestFolder
    private let origin: ImageOrigin

    init() throws {
        folder = try TestFolder()
        var json = Answer()
        json.fields = [FieldLine("Content-Type", .text("application/json"))]
        json.body = .text("{}")
        let image = Answer.image(try TestImages.jpeg(16, 8), type: "image/jpeg", cacheControl: "no-store")
        origin = try ImageOrigin([.path("/image", [image]), .path("/get", [json])])
    }

    private func session(_ reachability: (any ReachabilityProvider)? = nil) throws -> FetchSession {
        let session = try FetchSession.sqFetch(
            directory: folder.path,
            reachability: reachability,
            transport: origin.transport,
            clock: origin.clock
        )
        session.configure { $0.baseURL = origin.url("") }
        return session
    }

    @Test(
        "An image is found in memory, after a restart on disk, and requested once",
        .checks(
            "sqfetch.cache.two-level",
            "sqfetch.cache.hit-skips-network",
            "sqfetch.cache.survives-restart",
            "sqfetch.response.jpeg"
        )
    )
    func levels() async throws {
        let first = try session()
        var sources: [FetchResponse.Source] = []
        for _ in 0..<2 { sources.append(try await first.get("image").source) }
        #expect(sources == [.client(.origin), .valueCache(.memory)])
        // Waits for pending writes.
        let values = try #require(first.configuration.valueCache as? ImageValueCache)
        #expect(await values.store.diskFiles().count == 1)
        let second = try session()
        let response = try await second.get("image")
        #expect(response.source == .valueCache(.disk))
        #expect(response.image?.size == PixelSize(width: 16, height: 8))
        #expect(try await second.get("image").source == .valueCache(.memory))
        #expect(origin.hits("/image") == 1)
    }

    @Test(
        "A serial chain continues after a step that an image level answers",
        .checks("sqfetch.chain.serial-hang-on-cache-hit", "sqfetch.cache.images-only")
    )
    func chain() async throws {
        let session = try session()
        _ = try await session.get("image")
        let results = await FetchChain(session).get("image").get("get").get("image").get("get").results()
        let sources = try results.map { try $0.get().source }
        #expect(
            sources == [
                .valueCache(.memory), .client(.origin), .valueCache(.memory), .client(.origin),
            ]
        )
        #expect(origin.hits("/image") == 1)
        #expect(origin.hits("/get") == 2)
    }

    @Test("Without a network a cached image is served", .checks("sqfetch.reachability.before-cache"))
    func offline() async throws {
        let network = ScriptedReachability()
        let session = try session(network)
        _ = try await session.get("image")
        network.status = .unreachable
        #expect(try await session.get("image").source == .valueCache(.memory))
        #expect(origin.hits() == 1)
    }

    @Test(
        "Other parameters, other methods and policies that ignore caches find nothing",
        .checks("sqfetch.cache.bare-url-poisoning", "sqfetch.cache.method-not-in-key")
    )
    func otherRequests() async throws {
        let session = try session()
        _ = try await session.get("image")
        let others: [FetchRequest] = [
            .get("image", ["size": "small"]), .post("image"),
            FetchRequest.get("image").with { $0.policy = .reloadIgnoringLocalCacheData },
        ]
        for request in others { #expect(try await session.send(request).source == .client(.origin)) }
        #expect(origin.hits("/image") == 4)
        #expect(try await session.get("image", ["size": "small"]).source == .valueCache(.memory))
    }
}
