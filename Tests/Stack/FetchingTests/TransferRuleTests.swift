import CacheClient
import Fetching
import HTTPServing
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("What the session manager promises of transfers", .timeLimit(.minutes(5)))
struct TransferRuleTests {
    @Test(
        "An upload of 1 MiB tells a progress that never falls and ends at all of it",
        .checks("afnetworking.http.upload-download")
    )
    func upload() async throws {
        let stage = try FetchStage(json("{}"))
        let shares = Collector<Double>()
        let item = Upload.Item([UInt8](repeating: 7, count: 1 << 20), fileName: "a.png")
        _ = try await stage.session(.afNetworking).upload(
            Upload("image", [item]).with { $0.mimeType = "png" },
            progress: { shares.add($0.fraction) }
        )
        #expect(shares.elements == shares.elements.sorted())
        #expect(shares.elements.last == 1)
        #expect(stage.origin.record().map(\.body.count).first ?? 0 > 1 << 20)
    }

    @Test(
        "A download that broke at 40 % goes on there",
        .checks("afnetworking.http.upload-download")
    )
    func download() async throws {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var whole = Answer()
        whole.body = .bytes(bytes)
        whole.ranges = .offered
        whole.entityTag = .literal("\"v1\"")
        var broken = whole
        broken.faults = [Fault(.close, at: .body, byte: 400)]
        let stage = try FetchStage(broken, whole)
        let downloads = Downloads(
            stage.session(.afNetworking),
            transport: stage.transport,
            partialFolder: stage.folder.path + "/parts"
        )
        let request = DownloadRequest("file.bin", to: stage.folder.path + "/out.bin")
        await #expect(throws: DownloadFailure.self) { try await downloads.download(request) }
        let file = try await downloads.download(request)
        #expect(file.resumedFrom == 400)
        #expect(stage.lastFields("range") == ["bytes=400-"])
        #expect(try FileFolder(stage.folder.path).read("out.bin") == bytes)
    }
}
