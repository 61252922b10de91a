import CacheClient
import Clocks
import Fetching
import ImageLoading
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("SJNetwork as one object", .timeLimit(.minutes(20)))
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
        var broken = file
        broken.fields = [FieldLine("ETag", .text("\"v1\"")), FieldLine("Accept-Ranges", .text("bytes"))]
        broken.faults = [Fault(.reset, at: .body, byte: 2000)]
        origin = try ImageOrigin([
            .path("/json", [json]), .path("/up", [json]), .path("/file", [file]), .path("/broken", [broken]),
        ])
        network = SJNetwork(directory: folder.path, transport: origin.transport, clock: origin.clock)
        network.session.configure {
            $0.baseURL = origin.url("")
            $0.callbacks = .anywhere
        }
    }

    @Test(
        "Requests, their cache, an upload and a download go through one object, with one configuration",
        .checks("sjnetwork.structure.facade", "sjnetwork.structure.single-import")
    )
    func facade() async throws {
        network.session.configure { $0.defaultFields[.userAgent] = "one" }
        let request = FetchRequest.get("json").cached(for: .seconds(60))
        #expect(try await network.send(request).json?["a"] == .integer(1))
        #expect(await network.session.cachedValue("json") != nil)
        try await network.upload(Upload.images("up", [Upload.Item([1, 2, 3])]))
        let destination = folder.path + "/file.bin"
        let file = try await network.download(DownloadRequest("file", to: destination))
        #expect(file.path == destination)
        #expect(folder.read("file.bin")?.count == 5000)
        #expect(!network.pool.isBusy)
        #expect(origin.namespace.record().map(\.path) == ["/json", "/up", "/file"])
        #expect((0..<3).map { origin.fields($0, "user-agent") } == [["one"], ["one"], ["one"]])
    }

    @Test(
        "A JPEG is recompressed without a function from the caller, by the facade and by a session with the profile",
        .checks("sjnetwork.upload.ratio"),
        arguments: [true, false]
    )
    func ratio(usesFacade: Bool) async throws {
        let jpeg = try JPEGCodec().encode(TestImages.noise(64, 64), quality: 1)
        let upload = Upload.images(origin.url("/up"), [Upload.Item(jpeg)]).with { $0.compressionRatio = 0.1 }
        if usesFacade {
            try await network.upload(upload)
        } else {
            let session = FetchSession(.sjNetwork, transport: origin.transport, clock: origin.clock)
            _ = try await session.upload(upload)
        }
        let sent = try #require(origin.namespace.record().last?.body)
        #expect(sent.count < jpeg.count / 2)
    }

    @Test(
        "The size of the cache includes the received parts of downloads, which clearing removes",
        .checks("sjnetwork.cachemgmt.size-includes-partials")
    )
    func size() async throws {
        #expect(try await network.cacheSize() == CacheSize(files: 0, total: .zero))
        do throws(DownloadFailure) {
            _ = try await network.download(DownloadRequest("broken", to: folder.path + "/file.bin"))
            Issue.record("The download did not break off.")
        } catch {
            let part = try #require(error.partialPath)
            #expect(folder.read(String(part.dropFirst(folder.path.count + 1)))?.count == 2000)
        }
        let partial = try await network.cacheSize()
        #expect(partial.files > 0 && partial.total >= .bytes(2000))
        _ = try await network.send(FetchRequest.get("json").cached(for: .seconds(60)))
        #expect(try await network.cacheSize().files == partial.files + 2)
        #expect(try await network.clearCache())
    }
}
