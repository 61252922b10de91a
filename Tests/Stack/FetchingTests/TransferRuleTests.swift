import CacheClient
import CacheSemantics
import Fetching
import HTTPServing
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("The session manager's guarantees for transfers", .timeLimit(.minutes(20)))
struct TransferRuleTests {
    @Test(
        "The progress of an upload of 1 MiB never decreases and ends at the total",
        .checks("afnetworking.http.upload-download")
    )
    func upload() async throws {
        let fixture = try FetchFixture(json("{}"))
        let shares = Collector<Double>()
        let item = Upload.Item([UInt8](repeating: 7, count: 1 << 20), fileName: "a.png")
        _ = try await fixture.session(.afNetworking).upload(
            Upload("image", [item]).with { $0.mediaType = "png" },
            progress: { shares.add($0.fraction) }
        )
        #expect(shares.elements == shares.elements.sorted())
        #expect(shares.elements.last == 1)
        #expect(fixture.origin.record().map(\.body.count).first ?? 0 > 1 << 20)
    }

    @Test(
        "A download that was interrupted at 40 % resumes there",
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
        let fixture = try FetchFixture(broken, whole)
        let downloads = Downloads(
            fixture.session(.afNetworking),
            partialFolder: fixture.folder.path + "/parts"
        )
        let request = DownloadRequest("file.bin", to: fixture.folder.path + "/out.bin")
        await #expect(throws: DownloadFailure.self) { try await downloads.download(request) }
        let file = try await downloads.download(request)
        #expect(file.resumedFrom == .bytes(400))
        #expect(fixture.lastFields("range") == ["bytes=400-"])
        #expect(try FileFolder(fixture.folder.path).read("out.bin") == bytes)
    }
}
