import CacheClient
import Clocks
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("The chained fetcher's images over the network", .timeLimit(.minutes(20)))
struct FetcherImageLoadTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func loader(
        _ origin: ImageOrigin,
        _ change: (inout ImageProfile) -> Void = { _ in }
    ) throws -> ImageLoader {
        var profile = ImageProfile.sqFetch
        change(&profile)
        return try profile.loader(
            directory: folder.path,
            transport: origin.transport,
            clock: origin.clock,
            delivery: origin.delivery,
            pressure: nil
        )
    }

    private func session(_ origin: ImageOrigin) -> FetchSession {
        FetchSession(.sqFetch, transport: origin.transport, clock: origin.clock)
    }

    @Test(
        "A cached image is delivered without a request, while JSON is not cached",
        .checks("sqfetch.cache.hit-skips-network", "sqfetch.cache.images-only")
    )
    func hits() async throws {
        var json = Answer()
        json.fields = [FieldLine("Content-Type", .text("application/json"))]
        json.body = .text("{}")
        let origin = try ImageOrigin([.image("/image", TestImages.png(6, 4)), .path("/get", [json])])
        let (loader, session) = (try loader(origin), session(origin))
        for _ in 0..<2 {
            #expect(try await loader.image(for: ImageRequest(url: origin.url("/image"))).size.width == 6)
            _ = try await session.get(origin.url("/get"))
        }
        #expect(origin.hits("/image") == 1)
        #expect(origin.hits("/get") == 2)
    }

    @Test(
        "An image with parameters is found again with the same ones, and does not match that of the bare URL",
        .checks("sqfetch.cache.key-mismatch", "sqfetch.cache.bare-url-poisoning")
    )
    func parameters() async throws {
        var small = Route.image("/image", try TestImages.png(2, 2))
        small.query = .exact("size=small")
        small.priority = 1
        let origin = try ImageOrigin([small, .image("/image", TestImages.png(8, 8))])
        let loader = try loader(origin)
        let url = ParameterEncoding().url(origin.url("/image"), adding: ["size": "small"])
        #expect(try await loader.image(for: ImageRequest(url: origin.url("/image"))).size.width == 8)
        #expect(try await loader.image(for: ImageRequest(url: url)).size.width == 2)
        #expect(try await loader.image(for: ImageRequest(url: url)).size.width == 2)
        #expect(origin.hits("/image") == 2)
    }

    @Test(
        "A POST does not match the image that a GET has cached",
        .checks("sqfetch.cache.method-not-in-key")
    )
    func methods() async throws {
        let origin = try ImageOrigin([.image("/image", TestImages.png())])
        _ = try await loader(origin).image(for: ImageRequest(url: origin.url("/image")))
        let post = FetchRequest.post(origin.url("/image"), ["k": "v"]).with {
            $0.serializer = ImageSerializer()
        }
        #expect(try await session(origin).send(post).image != nil)
        #expect(origin.hits("/image") == 2)
        #expect(origin.namespace.record().last.map { String(decoding: $0.body, as: UTF8.self) } == "k=v")
    }

    @Test(
        "With HTTP freshness, an image that may not be stored is requested again, and so is a stale one",
        .checks("sqfetch.cache.no-expiry")
    )
    func expiry() async throws {
        let forbidden = Answer.image(try TestImages.png(), cacheControl: "no-store")
        let day = Answer.image(try TestImages.png(), cacheControl: "max-age=86400")
        let origin = try ImageOrigin([.path("/forbidden", [forbidden]), .path("/day", [day])])
        let loader = try loader(origin) { $0.loads.freshness = .http }
        for _ in 0..<2 {
            _ = try await loader.image(for: ImageRequest(url: origin.url("/forbidden")))
            _ = try await loader.image(for: ImageRequest(url: origin.url("/day")))
        }
        #expect(origin.hits("/forbidden") == 2)
        #expect(origin.hits("/day") == 1)
        origin.clock.advance(by: .seconds(10 * 365 * 86_400))
        _ = try await loader.image(for: ImageRequest(url: origin.url("/day")))
        #expect(origin.hits("/day") == 2)
    }

    @Test(
        "Bytes that are not a JPEG fail the load, and nothing is cached",
        .checks("sqfetch.response.jpeg-corrupt")
    )
    func corrupt() async throws {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        let origin = try ImageOrigin([.path("/image", [.image(bytes, type: "image/jpeg")])])
        let loader = try loader(origin)
        await #expect(throws: ImageError.self) {
            try await loader.image(for: ImageRequest(url: origin.url("/image")))
        }
        #expect(await loader.store.diskSize().files == 0)
        #expect(loader.store.imageInMemory(origin.url("/image")) == nil)
    }

    @Test(
        "A slot shows an image on the configured queue, and of two loads the later one's",
        .checks("sqfetch.imageslot.load", "sqfetch.imageslot.stale-overwrite")
    )
    func slot() async throws {
        let origin = try ImageOrigin([
            .image("/slow", TestImages.png(10, 4)) { $0.hold = .head },
            .image("/fast", TestImages.png(20, 4)),
        ])
        let slot = ImageSlot(loader: try loader(origin))
        let isOnQueue = Heard<Bool>()
        slot.onChange { image in if image != nil { isOnQueue.add(origin.delivery.isCurrent) } }
        slot.load(origin.url("/slow"))
        await until { origin.namespace.parked.count == 1 }
        slot.load(origin.url("/fast"))
        await until { slot.image?.size.width == 20 && !slot.isBusy }
        origin.namespace.release(label: nil)
        await until { origin.openExchanges == 0 }
        await origin.delivery.drain()
        #expect(slot.image?.size.width == 20)
        #expect(isOnQueue.values == [true])
    }
}
