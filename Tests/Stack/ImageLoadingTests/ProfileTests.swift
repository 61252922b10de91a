import CacheStorage
import Clocks
import ImageLoading
import OriginScript
import Testing
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("The documents' image libraries as profiles", .timeLimit(.minutes(5)))
struct ProfileTests {
    @Test("Each profile has its library's constants")
    func constants() {
        let sd = ImageProfile.sdWebImage
        #expect(sd.downloads.concurrency == 6 && sd.downloads.timeout == .seconds(15))
        #expect(
            sd.disk?.ageLimitSeconds == 604_800 && sd.disk?.sizeLimit == 0
                && sd.disk?.eviction == .oldestToHalf
        )
        #expect(sd.disk?.naming.name(for: "") == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(!sd.downloads.usesURLCache && sd.loads.failureRule == .documented)
        let af = ImageProfile.afNetworking
        #expect(af.downloads.concurrency == 4 && af.downloads.timeout == .seconds(60))
        #expect(af.memory == .autoPurging(capacity: 104_857_600, preferredUsage: 62_914_560))
        #expect(af.disk == nil && af.urlCacheCapacity == (20_971_520, 157_286_400))
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
            clock: origin.clock
        )
        let request = ImageRequest(url: origin.url("/image"), options: .waitForStore)
        #expect(try await loader.image(for: request).header.format == .jpeg)
        let disk = try #require(loader.store.disk)
        #expect(disk.fileName(for: request.url).count == 40)
        let file = try #require(folder.read("images/" + disk.fileName(for: request.url)))
        #expect(ImageFormat(sniffing: file) == .png)
        #expect(try ImageCodecs().image(from: file).size == PixelSize(width: 16, height: 8))
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
            clock: origin.clock
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
