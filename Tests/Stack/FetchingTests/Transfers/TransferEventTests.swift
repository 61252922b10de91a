import CacheSemantics
import Fetching
import HTTPServing
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Transfers as sequences", .timeLimit(.minutes(20)))
struct TransferEventTests {
    private let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    private func downloads(_ fixture: FetchFixture) -> Downloads {
        Downloads(
            fixture.session(),
            partialFolder: fixture.folder.path + "/parts"
        )
    }

    private func answer(_ faults: [Fault] = []) -> Answer {
        var answer = Answer()
        (answer.body, answer.faults) = (.bytes(content), faults)
        return answer
    }

    @Test("The last event of a download is the file, and none follows it")
    func download() async throws {
        let fixture = try FetchFixture(answer())
        let request = DownloadRequest("a.bin", to: fixture.folder.path + "/out.bin")
        var completed: [Int] = []
        var files: [DownloadedFile] = []
        for try await event in downloads(fixture).events(of: request) {
            switch event {
            case .progress(let progress):
                #expect(files.isEmpty)
                completed.append(progress.completed.bytes)
            case .finished(let file): files.append(file)
            }
        }
        #expect(completed == completed.sorted())
        #expect(files.map(\.size) == [.bytes(1000)])
    }

    @Test("A download that fails throws its failure")
    func failure() async throws {
        let fixture = try FetchFixture(answer([Fault(.close, at: .beforeHead)]))
        let events = downloads(fixture).events(
            of: DownloadRequest("a.bin", to: fixture.folder.path + "/out.bin")
        )
        await #expect(throws: DownloadFailure.self) {
            for try await event in events { if case .finished = event { Issue.record("It has finished.") } }
        }
    }

    @Test("A second download of the same path throws at once")
    func second() async throws {
        let fixture = try FetchFixture(answer([Fault(.stall(.forever), at: .body, byte: 400)]))
        let downloads = downloads(fixture)
        let first = downloads.events(of: DownloadRequest("a.bin", to: fixture.folder.path + "/1"))
        let second = downloads.events(of: DownloadRequest("a.bin", to: fixture.folder.path + "/2"))
        await #expect(throws: DownloadFailure.self) { for try await _ in second {} }
        #expect(downloads.running == ["a.bin"])
        withExtendedLifetime(first) { downloads.cancelAll() }
    }

    @Test("Ending the iteration cancels a download")
    func cancellation() async throws {
        let fixture = try FetchFixture(answer([Fault(.stall(.forever), at: .body, byte: 400)]))
        let downloads = downloads(fixture)
        let request = DownloadRequest("a.bin", to: fixture.folder.path + "/out.bin")
        for try await _ in downloads.events(of: request) { break }
        while !downloads.running.isEmpty { await Task.yield() }
        #expect(fixture.origin.record().count == 1)
    }

    @Test("The last event of an upload is the response")
    func upload() async throws {
        let fixture = try FetchFixture(json("{}"))
        let item = Upload.Item([UInt8](repeating: 7, count: 1 << 20), fileName: "a.png")
        var last: Int?
        var statuses: [Int] = []
        for try await event in fixture.session().events(
            of: Upload("image", [item]).with { $0.mediaType = "png" }
        ) {
            switch event {
            case .progress(let progress): last = progress.completed.bytes
            case .finished(let response): statuses.append(response.status)
            }
        }
        #expect(last ?? 0 > 1 << 20)
        #expect(statuses == [200])
    }
}
