import CacheStorage
import CLibrary
import Clocks
import ImageLoading
import OriginScript
import Testing
import TestSupport

@Suite("The documents' image libraries as profiles", .timeLimit(.minutes(20)))
struct ProfileTests {
    @Test("Each profile has its library's constants")
    func constants() {
        let sd = ImageProfile.sdWebImage
        #expect(sd.downloads.concurrency == 6 && sd.downloads.timeout == .seconds(15))
        #expect(
            sd.disk?.ageLimit == .seconds(604_800) && sd.disk?.sizeLimit == nil
                && sd.disk?.eviction == .oldestToHalf
        )
        #expect(sd.disk?.naming.name(for: "") == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(!sd.downloads.usesURLCache && sd.loads.failureRule == .documented)
        let af = ImageProfile.afNetworking
        #expect(af.downloads.concurrency == 4 && af.downloads.timeout == .seconds(60))
        #expect(af.memory == .autoPurging(capacity: .bytes(104_857_600), preferredUsage: .bytes(62_914_560)))
        #expect(af.disk == nil && af.urlCacheCapacity == (.mebibytes(20), .mebibytes(150)))
        let sq = ImageProfile.sqFetch
        #expect(sq.downloads.concurrency == 6 && sq.loads.reencodesAsPNG)
        #expect(
            sq.disk?.naming.name(for: "http://localhost:8090/image")
                == "c1fcca84b23535bc8134832efd354faede34e877"
        )
    }

    @Test("SQFetchManager's disk cache stores the PNG of a JPEG, named by the SHA-1 of its URL")
    func sqFetch() async throws {
        let folder = try TestFolder()
        let origin = try ImageOrigin([.image("/image", TestImages.jpeg(16, 8))])
        let loader = try ImageProfile.sqFetch.loader(
            directory: folder.path,
            transport: origin.transport,
            clock: origin.clock,
            pressure: nil
        )
        let request = ImageRequest(url: origin.url("/image"), options: .waitForStore)
        #expect(try await loader.image(for: request).header.format == .jpeg)
        let disk = try #require(loader.store.disk)
        #expect(disk.fileName(for: request.url).count == 40)
        let file = try #require(folder.read("images/" + disk.fileName(for: request.url)))
        #expect(ImageFormat(sniffing: file) == .png)
        #expect(try ImageCodecs().image(from: file).size == PixelSize(width: 16, height: 8))
    }

    @Test(
        "A file that was read on day 6 is cleaned on day 8 by its writing, and kept by its reading",
        arguments: [(ImageProfile.sdWebImage, 1), (.sdWebImage5, 0)]
    )
    func expiry(profile: ImageProfile, expired: Int) async throws {
        let folder = try TestFolder()
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let store = profile.imageStore(directory: folder.path, clock: origin.clock, pressure: nil)
        store.store(try TestImages.image(2, 2), for: "a")
        #expect(await store.diskFiles().count == 1)
        store.clearMemory()
        origin.clock.advance(by: .seconds(6 * 86_400))
        #expect(await store.image(for: "a")?.source == .disk)
        origin.clock.advance(by: .seconds(2 * 86_400))
        #expect(await store.clean().expired == expired)
    }

    @Test(
        "Of AFNetworking's media types those are accepted that the codecs decode",
        arguments: [
            ("image/png", true), ("image/jpeg", true), ("image/tiff", false), ("image/gif", false),
            ("image/ico", false), ("image/x-icon", false), ("image/bmp", false), ("image/x-bmp", false),
            ("image/x-xbitmap", false), ("image/x-win-bitmap", false), ("image/webp", false),
        ]
    )
    func acceptedTypes(type: String, isAccepted: Bool) async throws {
        let origin = try ImageOrigin([.path("/a", [.image(TestImages.png(), type: type)])])
        let loader = try ImageProfile.afNetworking.loader(
            directory: nil,
            transport: origin.transport,
            clock: origin.clock,
            pressure: nil
        )
        let request = ImageRequest(url: origin.url("/a"))
        if isAccepted {
            #expect(try await loader.image(for: request).size.width > 0)
        } else {
            await #expect(throws: ImageError.unacceptableContentType(type)) {
                try await loader.image(for: request)
            }
        }
    }

    @Test("A prefetcher loads each image into the caches, and counts those that fail")
    func prefetching() async throws {
        let origin = try ImageOrigin(
            [.image("/0", TestImages.png()), .image("/1", TestImages.png()), .path("/2", [.status(404)])]
        )
        let loader = try origin.loader()
        let reports = Heard<ImagePrefetcher.Counts>()
        let urls = (0..<3).map { origin.url("/\($0)") }
        let result = await ImagePrefetcher(loader).prefetch(urls) { reports.add($0) }
        #expect((result.finished, result.skipped, result.total) == (3, 1, 3))
        #expect(reports.values.map(\.finished) == [1, 2, 3])
        for url in urls.prefix(2) {
            #expect(loader.store.imageInMemory(url) != nil)
        }
    }

    @Test("After a loader is closed, its HTTP cache is on disk, and an empty folder stays empty")
    func close() async throws {
        let folder = try TestFolder()
        let origin = try ImageOrigin([
            .path("/a", [.image(TestImages.jpeg(), type: "image/jpeg", cacheControl: "max-age=60")]),
            .path("/b", [.image(TestImages.jpeg(), type: "image/jpeg")]),
        ])
        let loader = try ImageProfile.afNetworking.loader(
            directory: folder.path,
            transport: origin.transport,
            clock: origin.clock,
            pressure: nil
        )
        _ = try await loader.image(for: ImageRequest(url: origin.url("/a")))
        loader.close()
        let reopened = try CacheStore(.init(directory: folder.path + "/http"), clock: origin.clock)
        #expect(reopened.entryCount == 1)
        reopened.close()
        for name in folder.files where name.hasPrefix("http/") { unlink(folder.path + "/" + name) }
        _ = try await loader.image(for: ImageRequest(url: origin.url("/b")))
        #expect(folder.files == ["http", "http/bodies"])
    }
}
