import CacheClient
import Clocks
import Fetching
import ImageLoading
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("SJNetwork as one object", .timeLimit(.minutes(5)))
struct SJNetworkTests {
    private let folder: TestFolder
    private let origin: ImageOrigin
    private let network: SJNetwork

    init() throws {
        folder = try TestFolder()
        var json = Answer()
        json.fields = [FieldLine("Content-Type", .text("application/json"))]
        json.body = .text("{\"a\":1}")
        var file = Answer()
        file.body = .bytes([UInt8](repeating: 7, count: 5000))
        origin = try ImageOrigin([.path("/json", [json]), .path("/up", [json]), .path("/file", [file])])
        network = SJNetwork(directory: folder.path, transport: origin.transport, clock: origin.clock)
        network.session.configure {
            $0.baseURL = origin.url("")
            $0.callbacks = .anywhere
        }
    }

    @Test(
        "Requests, their cache and a download go through one object",
        .checks("sjnetwork.structure.facade", "sjnetwork.structure.single-import")
    )
    func facade() async throws {
        let request = FetchRequest.get("json").cached(for: .seconds(60))
        #expect(try await network.send(request).json?["a"] == .integer(1))
        #expect(await network.session.cachedValue("json") != nil)
        let destination = folder.path + "/file.bin"
        let file = try await network.download(DownloadRequest("file", to: destination))
        #expect(file.path == destination)
        #expect(folder.read("file.bin")?.count == 5000)
        #expect(!network.pool.isBusy)
    }

    @Test("A JPEG is recompressed without a function from the caller", .checks("sjnetwork.upload.ratio"))
    func ratio() async throws {
        let jpeg = try JPEGCodec().encode(TestImages.noise(64, 64), quality: 1)
        try await network.upload(Upload.images("up", [Upload.Item(jpeg)]).with { $0.compressionRatio = 0.1 })
        let sent = try #require(origin.namespace.record().last?.body)
        #expect(sent.count < jpeg.count / 2)
    }

    @Test(
        "The size of the cache includes the received parts of downloads, which clearing removes",
        .checks("sjnetwork.cachemgmt.size-includes-partials")
    )
    func size() async throws {
        #expect(try await network.cacheSize() == CacheSize(files: 0, bytes: 0))
        try folder.write("parts/half.part", [UInt8](repeating: 0, count: 1000))
        #expect(try await network.cacheSize() == CacheSize(files: 1, bytes: 1000))
        _ = try await network.send(FetchRequest.get("json").cached(for: .seconds(60)))
        #expect(try await network.cacheSize().files == 3)
        #expect(try await network.clearCache())
    }
}
