import CacheClient
import CacheStorage
import Clocks
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

/// The tests replace what the whole program shares, so they run one after another.
@Suite("Instances that a program shares", .serialized, .timeLimit(.minutes(20)))
struct SharedInstancesTests {
    private let origin: ImageOrigin

    init() throws {
        var json = Answer()
        json.fields = [
            FieldLine("Content-Type", .text("application/json")),
            // Shared sessions have the machine's clock, the origin has its own.
            FieldLine("Cache-Control", .text("max-age=315360000")),
        ]
        json.body = .text("{\"a\":1}")
        origin = try ImageOrigin([
            .path(
                "/image",
                [.image(TestImages.jpeg(), type: "image/jpeg", cacheControl: "max-age=60")]
            ),
            .path(
                "/no-store",
                [.image(TestImages.jpeg(), type: "image/jpeg", cacheControl: "no-store")]
            ),
            .path("/json", [json]),
        ])
    }

    private func memoryStore() throws -> CacheStore {
        try CacheStore(CacheStore.Configuration(), clock: origin.clock)
    }

    @Test(
        "The chained fetcher's sessions share images and reachability, both of which can be replaced",
        .checks(
            "sqfetch.cache.singleton",
            "sqfetch.reachability.singleton-at-load",
            "afnetworking.reachability.singleton"
        )
    )
    func chainedFetcher() async throws {
        let kernel = try #require(NetlinkReachability.shared.value as? NetlinkReachability)
        #expect(NetlinkReachability.shared.value as? NetlinkReachability === kernel)
        // It observes before any request, and without being started.
        let reports = kernel.observe { _ in news.signal() }
        await until { kernel.status != .unknown }
        reports.cancel()
        defer { NetlinkReachability.shared.value = kernel }
        let images = ImageStore()
        let network = ScriptedReachability(.wifi)
        ImageStore.sqFetch.value = images
        NetlinkReachability.shared.value = network
        SharedStore.urlCache.store = try memoryStore()
        #expect(ImageStore.sqFetch.value === images && ImageStore.sqFetch.value === ImageStore.sqFetch.value)
        _ = try await FetchSession.sqFetch().send(.get(origin.url("/image")))
        #expect(images.imageInMemory(origin.url("/image")) != nil)
        let slot = ImageSlot(loader: .sqFetch())
        slot.load(origin.url("/image"))
        #expect(slot.image?.size == images.imageInMemory(origin.url("/image"))?.image.size)
        network.status = .unreachable
        let other = FetchSession.sqFetch()
        #expect(try await other.send(.get(origin.url("/image"))).source == .valueCache(.memory))
        await #expect(throws: FetchError.self) { try await other.send(.get(origin.url("/other"))) }
        #expect(origin.hits() == 1)
    }

    @Test(
        "Sessions without a cache of their own reuse what another has stored in the shared URL cache, until it is replaced",
        .checks(
            "urlcache.shared-instance",
            "sqfetch.request.default-config-uses-urlcache",
            "afnetworking.http.cache-is-urlcache"
        )
    )
    func urlCache() async throws {
        func sessions() throws -> [FetchSession] {
            [.sqFetch(), try FetchSession(.afNetworking), try FetchSession(.sjNetwork)]
        }
        let usual = NetlinkReachability.shared.value
        NetlinkReachability.shared.value = ScriptedReachability(.wired)
        defer { NetlinkReachability.shared.value = usual }
        var hits: [Int] = []
        for _ in 1...2 {
            SharedStore.urlCache.store = try memoryStore()
            for session in try sessions() {
                session.configure { $0.callbacks = .anywhere }
                #expect(try await session.get(origin.url("/json")).json == ["a": 1])
                hits.append(origin.hits("/json"))
            }
        }
        #expect(hits == [1, 1, 1, 2, 2, 2])
    }

    @Test(
        "AFNetworking's images are in memory, even if HTTP forbids storing them",
        .checks("afnetworking.http.cache-is-urlcache")
    )
    func imagesInMemory() async throws {
        SharedStore.imageDownloads.store = try memoryStore()
        let loader = try ImageProfile.afNetworking.sharedLoader(named: "cachecheck-tests")
        for _ in 1...2 { _ = try await loader.image(for: ImageRequest(url: origin.url("/no-store"))) }
        #expect(origin.hits("/no-store") == 1)
        loader.store.clearMemory()
        _ = try await loader.image(for: ImageRequest(url: origin.url("/no-store")))
        #expect(origin.hits("/no-store") == 2)
    }

    @Test(
        "The documents' CustomURLCache has an own expiry of 600 s for every session over it",
        .checks("customurlcache.singleton")
    )
    func ownExpiry() async throws {
        #expect(SharedStore.customURLCache.expirationInterval == .seconds(600))
        let store = try memoryStore()
        SharedStore.customURLCache.store = store
        let session = try FetchSession(.afNetworking, sharing: .customURLCache)
        session.configure { $0.callbacks = .anywhere }
        _ = try await session.get(origin.url("/json"))
        let request = ClientRequest(url: origin.url("/json"))
        let entry = try #require(session.client.cachedResponse(for: request))
        #expect(entry.userInfo["CustomURLCacheExpiration"] != nil)
    }

    @Test(
        "What an image loader stores in that cache has the time of storing, by which the expiry applies",
        .checks("customurlcache.singleton"),
        arguments: [ImageProfile.sqFetch, .afNetworking]
    )
    func ownExpiryOfImages(profile: ImageProfile) async throws {
        let store = try memoryStore()
        SharedStore.customURLCache.store = store
        var profile = profile
        profile.sharedURLCache = .customURLCache
        let loader = try profile.sharedLoader(named: "cachecheck-tests")
        _ = try await loader.image(for: ImageRequest(url: origin.url("/image")))
        let client = CachingClient(store: store, transport: origin.transport, clock: origin.clock)
        let entry = try #require(client.cachedResponse(for: ClientRequest(url: origin.url("/image"))))
        #expect(entry.userInfo["CustomURLCacheExpiration"] != nil)
    }

    @Test(
        "Sessions that are created without an application cache share one",
        .checks("sjnetwork.structure.facade")
    )
    func applicationCache() async throws {
        let folder = try TestFolder()
        ApplicationCache.shared.value = ApplicationCache(folder: folder.path, clock: SystemClock())
        let session = try FetchSession(.sjNetwork)
        session.configure { $0.callbacks = .anywhere }
        let request = FetchRequest.get(origin.url("/json")).cached(for: .seconds(600))
        _ = try await session.send(request)
        #expect(try await session.send(request).source == .applicationCache)
        #expect(try await FetchSession(.sjNetwork).cacheSize().files == 2)
        #expect(folder.names.count == 2 && origin.hits("/json") == 1)
    }

    @Test(
        "A host that is monitored besides the network has to answer before anything is sent",
        .checks("sqfetch.reachability.two-probes")
    )
    func monitoredHost() async throws {
        let usual = NetlinkReachability.shared.value
        NetlinkReachability.shared.value = ScriptedReachability(.wifi)
        defer { NetlinkReachability.shared.value = usual }
        ImageStore.sqFetch.value = ImageStore()
        SharedStore.urlCache.store = try memoryStore()
        let there = FetchSession.sqFetch(host: "127.0.0.1", port: try #require(origin.server.port))
        let gone = FetchSession.sqFetch(host: "127.0.0.1", port: 1)
        let observation = gone.reachability?.observe { _ in news.signal() }
        await until { gone.reachability?.status == .unreachable }
        observation?.cancel()
        await #expect(throws: FetchError.self) { try await gone.send(.get(origin.url("/json"))) }
        #expect(origin.hits() == 0)
        #expect(try await there.send(.get(origin.url("/json"))).status == 200)
    }

    @Test(
        "A change of the shared configuration applies to the next request of everyone",
        .checks("sjnetwork.config.singleton")
    )
    func configuration() async throws {
        let folder = try TestFolder()
        SJNetwork.shared.value = SJNetwork(
            directory: folder.path,
            transport: origin.transport,
            clock: origin.clock
        )
        let first = SJNetwork.shared.value
        first.session.configure {
            $0.baseURL = origin.url("")
            $0.serializer = BytesSerializer()
            $0.callbacks = .anywhere
        }
        _ = try await SJNetwork.shared.value.send(.get("image"))
        SJNetwork.shared.value.session.configure { $0.defaultParameters = ["v": 1] }
        _ = try await first.send(.get("image"))
        #expect(origin.namespace.record().map(\.query) == [nil, "v=1"])
    }

    @Test("AFNetworking's loader for the whole program uses the shared cache of image downloads")
    func imageDownloads() async throws {
        let store = try memoryStore()
        SharedStore.imageDownloads.store = store
        let loader = try ImageProfile.afNetworking.sharedLoader(named: "cachecheck-tests")
        _ = try await loader.image(for: ImageRequest(url: origin.url("/image")))
        #expect(store.entryCount == 1)
    }

    @Test("Image caches are emptied by the shared source of memory pressure", .checks("nscache.auto-evicts"))
    func pressure() throws {
        let pressure = ScriptedMemoryPressure()
        let usual = KernelMemoryPressureSource.shared.value
        KernelMemoryPressureSource.shared.value = pressure
        defer { KernelMemoryPressureSource.shared.value = usual }
        for profile in [ImageProfile.sdWebImage, .sdWebImage5, .afNetworking, .sqFetch] {
            let store = profile.imageStore(directory: nil, clock: origin.clock)
            store.store(try TestImages.image(2, 2), for: "a")
            #expect(store.imageInMemory("a") != nil)
            pressure.signal(.critical)
            #expect(store.imageInMemory("a") == nil)
        }
    }

    @Test(
        "Clearing images in memory leaves the shared URL cache as it is, and vice versa",
        .checks("urlcache.unrelated-to-nscache")
    )
    func clearing() throws {
        let store = try memoryStore()
        SharedStore.urlCache.store = store
        let client = CachingClient(store: store, transport: origin.transport, clock: origin.clock)
        let request = ClientRequest(url: origin.url("/a"))
        let response = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"])
        client.store(response, body: [1], for: request)
        let images = ImageStore()
        images.store(try TestImages.image(1, 1), for: request.url)
        images.clearMemory()
        #expect(images.imageInMemory(request.url) == nil)
        #expect(client.cachedResponse(for: request) != nil)
        images.store(try TestImages.image(1, 1), for: request.url)
        client.removeAllCachedResponses()
        #expect(client.cachedResponse(for: request) == nil)
        #expect(images.imageInMemory(request.url) != nil)
    }
}
