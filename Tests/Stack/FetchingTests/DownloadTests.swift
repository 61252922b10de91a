import CacheClient
import CacheSemantics
import CLibrary
import Clocks
@testable import Fetching
import HTTPServing
import HTTPTypes
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

/// The downloads of one session, and their files.
private struct DownloadFixture {
    let fixture: FetchFixture
    let downloads: Downloads

    init(_ routes: [Route], _ change: (inout FetchConfiguration) -> Void = { _ in }) throws {
        let made = try FetchFixture(routes)
        fixture = made
        downloads = Self.downloads(made, change)
    }

    init(_ answers: Answer...) throws { try self.init([Route(label: "1", answers: answers)]) }

    static func downloads(_ fixture: FetchFixture, _ change: (inout FetchConfiguration) -> Void = { _ in })
        -> Downloads
    {
        Downloads(
            fixture.session(FetchConfiguration(), change),
            partialFolder: fixture.folder.path + "/parts"
        )
    }

    /// Returns the state of another process.
    func restarted() -> Downloads { Self.downloads(fixture) }

    func place(_ name: String) -> String { fixture.folder.path + "/" + name }

    func request(_ path: String = "a.bin", to name: String = "out.bin") -> DownloadRequest {
        DownloadRequest(path, to: place(name))
    }

    var parts: [String] { fixture.folder.names(in: "parts") }

    func ranges() -> [String?] {
        fixture.origin.record().map { exchange in
            exchange.fields.first { $0.name.lowercased() == "range" }?.value
        }
    }

    func sentBytes() -> [Int] { fixture.origin.record().map { $0.body.count } }
}

private func bytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4 << 20)
    let count = fread(&buffer, 1, buffer.count, file)
    return Array(buffer.prefix(count))
}

private func overwrite(_ path: String, _ bytes: [UInt8]) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

private func pattern(_ count: Int, seed: Int = 1) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) ^ (seed &* 77)) }
}

private let whole = pattern(1000)

extension Answer {
    fileprivate static func file(
        _ bytes: [UInt8] = whole,
        tag: String? = "\"v1\"",
        _ change: (inout Answer) -> Void = { _ in }
    ) -> Answer {
        var answer = Answer()
        answer.body = .bytes(bytes)
        answer.ranges = .offered
        answer.entityTag = tag.map { .literal($0) }
        change(&answer)
        return answer
    }

    /// Returns an answer like `file`, but interrupted after this number of bytes.
    fileprivate static func broken(at byte: Int, _ bytes: [UInt8] = whole, tag: String? = "\"v1\"") -> Answer
    {
        .file(bytes, tag: tag) { $0.faults = [Fault(.close, at: .body, byte: byte)] }
    }
}

private func failure(_ work: () async throws(DownloadFailure) -> DownloadedFile) async -> DownloadFailure? {
    do throws(DownloadFailure) {
        _ = try await work()
        return nil
    } catch {
        return error
    }
}

@Suite("Downloads to files", .timeLimit(.minutes(20)))
struct DownloadTests {
    @Test(
        "A download is by default resumable and not detached",
        .checks("sjnetwork.download.defaults")
    )
    func defaults() {
        let request = DownloadRequest("a", to: "b")
        #expect(request.isResumable && !request.isDetached)
    }

    @Test(
        "The file is complete at its destination, and no part remains beside it",
        .checks("sjnetwork.download.destination", "sjnetwork.download.progress")
    )
    func destination() async throws {
        let fixture = try DownloadFixture(.file())
        overwrite(fixture.place("out.bin"), [9, 9])
        let heard = Lock([TransferProgress]())
        let file = try await fixture.downloads.download(fixture.request()) { progress in
            heard.withLock { $0.append(progress) }
        }
        #expect(
            file == DownloadedFile(path: fixture.place("out.bin"), size: .bytes(1000), resumedFrom: .zero)
        )
        #expect(bytes(file.path) == whole)
        #expect(fixture.parts == [])
        let progress = heard.withLock { $0 }
        #expect(progress.map(\.completed) == progress.map(\.completed).sorted())
        #expect(progress.first?.completed == .zero && progress.last?.fraction == 1)
        #expect(progress.allSatisfy { $0.total == .bytes(1000) })
    }

    @Test(
        "A destination whose folder cannot be created or written is an error before anything is requested",
        arguments: ["/proc/nope/x", "/dev/null/x", "/dev/null/x/", ""]
    )
    func unwritable(destination: String) async throws {
        let fixture = try DownloadFixture(.file())
        let request = DownloadRequest("x", to: destination)
        let failed = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(request)
        }
        #expect(failed != nil)
        #expect(fixture.sentBytes() == [] && fixture.downloads.running == [])
    }

    @Test(
        "In a folder, a file is named by the last component of its URL",
        .checks("sjnetwork.download.destination")
    )
    func intoFolder() async throws {
        let fixture = try DownloadFixture(.file())
        let file = try await fixture.downloads.download(fixture.request("x/y%20z.bin?q=1", to: "new/folder/"))
        #expect(file.path == fixture.place("new/folder/y z.bin"))
        #expect(bytes(file.path) == whole)
    }

    @Test(
        "A resumable download that fails keeps the received part, and another process requests only the rest",
        .checks(
            "sjnetwork.download.resumable-keeps-partial",
            "sjnetwork.download.resumable-continues",
            "sjnetwork.download.partial-metadata",
            "sjnetwork.download.progress",
            "principle.resume-not-resend"
        )
    )
    func resumes() async throws {
        let fixture = try DownloadFixture(.broken(at: 250), .file())
        let failed = try #require(
            await failure { () async throws(DownloadFailure) in
                try await fixture.downloads.download(fixture.request())
            }
        )
        #expect(failed.error.code == -1005)
        let path = try #require(failed.partialPath)
        #expect(bytes(path) == Array(whole.prefix(250)))
        let part = try #require(try fixture.downloads.partialDownloads().first)
        #expect((part.ratio, part.total?.bytes, part.received.bytes, part.path) == (0.25, 1000, 250, path))
        #expect(bytes(fixture.place("out.bin")) == nil)
        let heard = Lock([Int]())
        let file = try await fixture.restarted().download(fixture.request()) { progress in
            heard.withLock { $0.append(progress.completed.bytes) }
        }
        #expect(file.resumedFrom == .bytes(250) && bytes(file.path) == whole)
        #expect(fixture.ranges() == [nil, "bytes=250-"])
        #expect(
            fixture.fixture.origin.record()[1].fields.first { $0.name.lowercased() == "if-range" }?.value
                == "\"v1\""
        )
        #expect(fixture.fixture.origin.record().map(\.status) == [200, 206])
        #expect(heard.withLock { $0.first } == 250 && heard.withLock { $0.last } == 1000)
        #expect(fixture.parts == [])
    }

    @Test("A download resumes after two interruptions", .checks("sjnetwork.download.resumable-continues"))
    func twice() async throws {
        let fixture = try DownloadFixture(.broken(at: 600), .broken(at: 200), .file())
        for kept in [600, 800] {
            let failed = await failure { () async throws(DownloadFailure) in
                try await fixture.restarted().download(fixture.request())
            }
            #expect(failed?.partialPath.flatMap { bytes($0)?.count } == kept)
        }
        let file = try await fixture.restarted().download(fixture.request())
        #expect(bytes(file.path) == whole && file.resumedFrom == .bytes(800))
        #expect(fixture.ranges() == [nil, "bytes=600-", "bytes=800-"])
    }

    @Test("A download that is not resumable starts over", .checks("sjnetwork.download.not-resumable"))
    func notResumable() async throws {
        let fixture = try DownloadFixture(.broken(at: 500), .file())
        let request = fixture.request().with { $0.isResumable = false }
        let failed = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(request)
        }
        #expect(failed?.error.code == -1005 && failed?.partialPath == nil)
        #expect(fixture.parts == [])
        let file = try await fixture.downloads.download(request)
        #expect(bytes(file.path) == whole && fixture.ranges() == [nil, nil])
    }

    @Test("A part of a resource that has changed is not used", .checks("sjnetwork.download.changed-resource"))
    func changed() async throws {
        let other = pattern(800, seed: 2)
        let fixture = try DownloadFixture(.broken(at: 500), .file(other, tag: "\"v2\""))
        _ = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(fixture.request())
        }
        let file = try await fixture.downloads.download(fixture.request())
        #expect(bytes(file.path) == other && file.resumedFrom == .zero)
        #expect(fixture.fixture.origin.record().map(\.status) == [200, 200])
    }

    @Test(
        "A complete response to a range request replaces the part",
        .checks("sjnetwork.download.range-ignored")
    )
    func rangeIgnored() async throws {
        let fixture = try DownloadFixture(.broken(at: 500), .file { $0.ranges = .ignored })
        _ = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(fixture.request())
        }
        let file = try await fixture.downloads.download(fixture.request())
        #expect(bytes(file.path) == whole && fixture.ranges() == [nil, "bytes=500-"])
    }

    @Test("Without a strong validator, no ranges are requested", arguments: ["W/\"v1\"", nil])
    func weak(tag: String?) async throws {
        let fixture = try DownloadFixture(.broken(at: 500, tag: tag), .file(tag: tag))
        _ = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(fixture.request())
        }
        let file = try await fixture.downloads.download(fixture.request())
        #expect(bytes(file.path) == whole && fixture.ranges() == [nil, nil])
    }

    @Test(
        "A part as long as the file is complete, if the server confirms it",
        .checks("sjnetwork.download.range-unsatisfiable")
    )
    func unsatisfiable() async throws {
        let unended = Answer.file {
            $0.framing = .chunked
            $0.faults = [Fault(.close, at: .end)]
        }
        let fixture = try DownloadFixture(unended, .file())
        let failed = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(fixture.request())
        }
        #expect(failed?.partialPath.flatMap { bytes($0)?.count } == 1000)
        let file = try await fixture.downloads.download(fixture.request())
        #expect(fixture.fixture.origin.record().map(\.status) == [200, 416])
        #expect(bytes(file.path) == whole)
    }

    @Test(
        "A part longer than the file is downloaded again",
        .checks("sjnetwork.download.range-unsatisfiable")
    )
    func unsatisfiableLonger() async throws {
        let unended = Answer.file {
            $0.framing = .chunked
            $0.faults = [Fault(.close, at: .end)]
        }
        let shorter = Answer.file(Array(whole.prefix(700)))
        let fixture = try DownloadFixture(unended, shorter)
        _ = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(fixture.request())
        }
        let file = try await fixture.downloads.download(fixture.request())
        #expect(bytes(file.path) == Array(whole.prefix(700)))
        #expect(fixture.fixture.origin.record().map(\.status) == [200, 416, 200])
    }

    @Test(
        "A 206 that does not fit the part is not appended",
        arguments: [
            "bytes 400-999/1000", "bytes 500-1199/1200", "bytes 500-999", "nonsense", "bytes 500-100/1000",
        ]
    )
    func wrongRange(range: String) async throws {
        var wrong = Answer()
        wrong.status = 206
        wrong.body = .bytes(Array(whole.suffix(500)))
        wrong.fields = [FieldLine("Content-Range", .text(range)), FieldLine("ETag", .text("\"v1\""))]
        let fixture = try DownloadFixture(.broken(at: 500), wrong, .file())
        _ = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(fixture.request())
        }
        let file = try await fixture.downloads.download(fixture.request())
        #expect(bytes(file.path) == whole && fixture.ranges() == [nil, "bytes=500-", nil])
    }

    @Test("A 206 of another version is not appended")
    func otherTag() async throws {
        var wrong = Answer()
        wrong.status = 206
        wrong.body = .bytes(Array(whole.suffix(500)))
        wrong.fields = [
            FieldLine("Content-Range", .text("bytes 500-999/1000")), FieldLine("ETag", .text("\"v2\"")),
        ]
        let fixture = try DownloadFixture(.broken(at: 500), wrong, .file())
        _ = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(fixture.request())
        }
        let file = try await fixture.downloads.download(fixture.request())
        #expect(bytes(file.path) == whole && fixture.ranges() == [nil, "bytes=500-", nil])
    }

    @Test(
        "A damaged or truncated part is downloaded again, and bytes beyond the record are truncated",
        arguments: [("damaged", nil), ("shortened", nil), ("longer", "bytes=500-"), ("record", nil)]
            as [(String, String?)]
    )
    func damaged(how: String, range: String?) async throws {
        let fixture = try DownloadFixture(.broken(at: 500), .file())
        let failed = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(fixture.request())
        }
        let path = try #require(failed?.partialPath)
        var part = try #require(bytes(path))
        switch how {
        case "damaged": part[250] ^= 1
        case "shortened": part.removeLast(100)
        case "longer": part += [1, 2, 3]
        default: overwrite(String(path.dropLast(5)) + ".txt", Array("cachecheck-part 1\nreceived -5".utf8))
        }
        overwrite(path, part)
        let file = try await fixture.restarted().download(fixture.request())
        #expect(bytes(file.path) == whole && fixture.ranges() == [nil, range])
    }

    @Test("A complete part is moved to its destination without a request")
    func wholePart() async throws {
        let fixture = try DownloadFixture(.file())
        let failed = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(fixture.request(to: "blocked/out.bin")) { _ in
                // A file replaces the folder while content arrives.
                rmdir(fixture.place("blocked"))
                overwrite(fixture.place("blocked"), [1])
            }
        }
        #expect(failed?.error.kind == .storage)
        #expect(failed?.partialPath.flatMap { bytes($0) } == whole)
        let file = try await fixture.restarted().download(fixture.request())
        #expect(bytes(file.path) == whole && fixture.fixture.hits == 1)
    }

    @Test("An error status leaves no part and does not change the old file")
    func errorStatus() async throws {
        var answer = Answer()
        answer.status = 404
        answer.body = .text("no")
        let fixture = try DownloadFixture(answer)
        overwrite(fixture.place("out.bin"), [7])
        let failed = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(fixture.request())
        }
        #expect(failed?.error.status == 404 && failed?.partialPath == nil)
        #expect(bytes(fixture.place("out.bin")) == [7] && fixture.parts == [])
    }

    @Test(
        "A second download of the same URL, or to the same file, is rejected with the reason",
        .checks("sjnetwork.download.duplicate-start")
    )
    func duplicates() async throws {
        let fixture = try DownloadFixture(.file { $0.hold = .head })
        try fixture.downloads.start(fixture.request()) { _ in }
        let again = #expect(throws: DownloadFailure.self) {
            try fixture.downloads.start(fixture.request(to: "other.bin")) { _ in }
        }
        #expect(again?.error.reason.contains("already") == true)
        let samePlace = #expect(throws: DownloadFailure.self) {
            try fixture.downloads.start(fixture.request("b.bin")) { _ in }
        }
        #expect(samePlace?.error.reason.contains("out.bin") == true)
        await fixture.fixture.waitForParked(1)
        #expect(fixture.fixture.hits == 1 && fixture.downloads.running == ["a.bin"])
        fixture.fixture.origin.release(label: nil)
        #expect(try await fixture.downloads.end(of: "a.bin")?.get().size == .bytes(1000))
        _ = try? fixture.downloads.start(fixture.request()) { _ in }
        fixture.downloads.cancelAll()
    }

    @Test(
        "A complete URL is used unchanged",
        .checks("sjnetwork.download.ignore-base-url", "sjnetwork.control.identify-by-given-url")
    )
    func completeURL() async throws {
        let fixture = try DownloadFixture(.file { $0.hold = .head })
        let other = try FetchFixture(.file { $0.hold = .head })
        let url = other.base + "/universe.jpg"
        try fixture.downloads.start(fixture.request("universe.jpg")) { _ in }
        try fixture.downloads.start(fixture.request(url, to: "other.bin")) { _ in }
        #expect(fixture.downloads.running == [url, "universe.jpg"].sorted())
        fixture.downloads.suspend("universe.jpg")
        #expect(fixture.downloads.suspended == ["universe.jpg"])
        fixture.downloads.suspend(url)
        #expect(fixture.downloads.suspended == [url, "universe.jpg"].sorted())
        await other.waitForParked(1)
        #expect(other.requestLines == ["GET /universe.jpg"])
        fixture.downloads.cancelAll()
    }

    @Test(
        "Detached downloads are not restricted on this platform",
        .checks("sjnetwork.download.background-caution")
    )
    func detachedIsAllowed() async throws {
        let fixture = try DownloadFixture(.file())
        #expect(
            try await fixture.downloads.download(fixture.request().with { $0.isDetached = true }).size
                == .bytes(1000)
        )
    }

    @Test(
        "A detached download continues without its caller, another one ends with it",
        .checks("sjnetwork.download.background-task"),
        arguments: [true, false]
    )
    func callerLeaves(isDetached: Bool) async throws {
        let fixture = try DownloadFixture(.file { $0.hold = .head })
        let request = fixture.request().with { $0.isDetached = isDetached }
        let downloads = fixture.downloads
        let task = Task { try await downloads.download(request) }
        await fixture.fixture.waitForParked(1)
        task.cancel()
        guard isDetached else {
            await #expect(throws: DownloadFailure.self) { _ = try await task.value }
            return
        }
        fixture.fixture.origin.release(label: nil)
        _ = await downloads.end(of: "a.bin")
        await news.wait { bytes(fixture.place("out.bin")) == whole }
    }

    @Test(
        "A part is on disk while the rest is being received",
        .checks("sjnetwork.download.streams-to-disk")
    )
    func streams() async throws {
        let big = pattern(300_000)
        let fixture = try DownloadFixture(
            .file(big) { $0.faults = [Fault(.stall(.untilReleased), at: .body, byte: 200_000)] }
        )
        try fixture.downloads.start(fixture.request()) { _ in
            news.signal()
        } completion: { _ in
            news.signal()
        }
        await news.wait {
            fixture.parts.first.flatMap { bytes(fixture.place("parts/" + $0)) }?.count == 200_000
        }
        #expect(bytes(fixture.place("out.bin")) == nil)
        fixture.fixture.origin.release(label: nil)
        await news.wait { bytes(fixture.place("out.bin")) == big }
    }

    @Test(
        "A full disk is reported, the part is kept, and the download resumes when there is space",
        .enabled(if: SmallFileSystem.isAvailable)
    )
    func diskFull() async throws {
        let content = pattern(200_000)
        let fixture = try DownloadFixture(.file(content))
        let disk = try #require(SmallFileSystem(fixture.place("parts"), kibibytes: 64))
        defer { disk.remove() }
        let failed = await failure { () async throws(DownloadFailure) in
            try await fixture.downloads.download(fixture.request())
        }
        #expect(failed?.error.description.contains("No space left") == true)
        let kept = try #require(failed?.partialPath.flatMap { bytes($0) })
        #expect(!kept.isEmpty && kept == Array(content.prefix(kept.count)))
        #expect(bytes(fixture.place("out.bin")) == nil)
        try disk.grow(kibibytes: 1024)
        let file = try await fixture.downloads.download(fixture.request())
        #expect(bytes(file.path) == content && file.resumedFrom == .bytes(kept.count))
    }

    @Test(
        "Names from servers and URLs stay in their folder",
        arguments: [
            ("attachment; filename=\"../../etc/passwd\"", "passwd"), ("attachment; filename=\"..\"", nil),
            ("attachment; filename=\"a/b\\\\c.txt\"", "c.txt"), ("attachment; filename=.bashrc", "bashrc"),
            ("attachment; filename*=UTF-8''%2e%2e%2fx%20y.txt; filename=z", "x y.txt"),
            ("attachment; filename=\"a\u{0}b\n.txt\"", "ab.txt"), ("attachment; filename=\"\"", nil),
            ("attachment; filename=\"cod.\u{202E}gpj.exe\"", "cod.gpj.exe"), ("inline", nil),
            ("attachment; filename*=iso-8859-1''%e4.txt; filename=\"plain.txt\"", "plain.txt"),
            ("attachment; filename=\"con.txt. . \"", "con.txt"), ("; filename", nil),
            ("attachment; FILENAME=\"q\\\"uote.txt\"", "q\"uote.txt"),
            // Grapheme clusters with a slash: with an accent, and with a zero-width joiner.
            ("attachment; filename=\"a/\u{301}b.txt\"", "\u{301}b.txt"),
            ("attachment; filename=\"../a\u{6DD}/..\\\\\u{301}b.txt\"", "\u{301}b.txt"),
        ] as [(String, String?)]
    )
    func dispositions(field: String, expected: String?) {
        #expect(FileName.of(disposition: field) == expected)
    }

    @Test(
        "A URL results in a name that stays in its folder",
        arguments: [
            ("http://h/a/b.bin?x=/y", "b.bin"), ("http://h/", "download"), ("http://h", "download"),
            ("http://h/..", "download"), ("http://h/%2e%2e%2fpasswd", "passwd"), ("http://h/%ff", "%ff"),
            ("http://h/%2e%2e%2f%cc%81a", "\u{301}a"), ("http://h/a%db%9d%2f%2e%2e", "download"),
        ]
    )
    func names(url: String, expected: String) {
        #expect(FileName.of(url: url) == expected)
    }

    @Test("With the option, the server's file name is used, and it cannot leave the folder")
    func serverNames() async throws {
        let fixture = try DownloadFixture(
            .file {
                $0.fields.append(
                    FieldLine("Content-Disposition", .text("attachment; filename=\"../../evil.bin\""))
                )
            }
        )
        let request = fixture.request(to: "in/").with { $0.naming = .server }
        #expect(try await fixture.downloads.download(request).path == fixture.place("in/evil.bin"))
        #expect(!fixture.fixture.folder.names.contains("evil.bin"))
    }
}

@Suite("Downloads that are suspended, resumed and cancelled", .timeLimit(.minutes(20)))
struct DownloadControlTests {
    /// Returns a fixture whose files are sent in pieces, one per virtual second.
    private func slow(then others: [Answer] = []) throws -> DownloadFixture {
        let answer = Answer.file {
            $0.fields.append(FieldLine("Content-Length", .text("1000")))
            $0.chunks = [Int](repeating: 100, count: 10)
            $0.chunkDelay = .seconds(1)
        }
        return try DownloadFixture([
            Route(
                label: "files",
                path: .prefix("/f"),
                answers: others.isEmpty ? [answer] : [answer, answer] + others
            ), Route(label: "other", path: .exact("/other"), answers: [.file { $0.hold = .head }]),
        ])
    }

    private func start(
        _ fixture: DownloadFixture,
        _ count: Int,
        _ change: (inout DownloadRequest) -> Void = { _ in }
    ) async throws -> (ends: Collector<String>, progress: Lock<[String: Int]>) {
        let (ends, progress) = (Collector<String>(), Lock([String: Int]()))
        for number in 0..<count {
            var request = fixture.request("f\(number)", to: "out\(number)")
            change(&request)
            try fixture.downloads.start(request) { value in
                progress.withLock { $0["f\(number)"] = value.completed.bytes }
                news.signal()
            } completion: { result in
                switch result {
                case .success: ends.add("f\(number) done")
                case .failure(let error):
                    ends.add("f\(number) \(error.error.code.rawValue) \(error.partialPath != nil)")
                }
            }
        }
        await fixture.fixture.waitForParked(count)
        return (ends, progress)
    }

    /// Advances the clock by a second, after everything sent before has arrived.
    private func tick(_ fixture: DownloadFixture, _ count: Int) async {
        await news.wait { fixture.fixture.origin.parked.count == count || fixture.fixture.origin.isAtRest }
        fixture.fixture.clock.advance(by: .seconds(1))
    }

    @Test(
        "Suspended downloads receive nothing while others continue; once resumed, they complete without starting over",
        .checks(
            "sjnetwork.control.suspend-one",
            "sjnetwork.control.resume-one",
            "sjnetwork.control.suspend-many",
            "sjnetwork.control.resume-many"
        ),
        arguments: [["f0"], ["f0", "f2"]]
    )
    func suspendSome(paths: [String]) async throws {
        let fixture = try slow()
        let (ends, progress) = try await start(fixture, 4)
        fixture.fixture.clock.advance(by: .seconds(1))
        await news.wait { progress.withLock { $0.values.filter { $0 == 100 }.count } == 4 }
        fixture.downloads.suspend(paths)
        #expect(fixture.downloads.suspended == paths)
        for _ in 0..<10 { await tick(fixture, 0) }
        await news.wait { ends.elements.count == 4 - paths.count }
        #expect(paths.allSatisfy { path in progress.withLock { $0[path] } == 100 })
        #expect(fixture.downloads.running == paths)
        fixture.downloads.resume(paths)
        await news.wait { ends.elements.count == 4 }
        #expect(Set(ends.elements) == ["f0 done", "f1 done", "f2 done", "f3 done"])
        #expect(fixture.fixture.hits == 4 && fixture.ranges() == [nil, nil, nil, nil])
        for number in 0..<4 { #expect(bytes(fixture.place("out\(number)")) == whole) }
    }

    @Test(
        "All downloads are suspended and resumed, and other requests are not",
        .checks(
            "sjnetwork.control.suspend-all",
            "sjnetwork.control.resume-all",
            "sjnetwork.control.resume-only-suspended"
        )
    )
    func suspendAll() async throws {
        let fixture = try slow()
        let session = fixture.downloads.session
        // Before the other request, which could be taken for one of them.
        let (ends, progress) = try await start(fixture, 3)
        let isAnswered = Lock(false)
        let other = Task {
            defer {
                isAnswered.withLock { $0 = true }
                news.signal()
            }
            _ = try await session.get("other")
        }
        await fixture.fixture.waitForParked(4)
        fixture.downloads.resume("f0")
        fixture.downloads.resume("unknown")
        fixture.downloads.suspendAll()
        for _ in 0..<10 { await tick(fixture, 1) }
        #expect(ends.elements == [] && progress.withLock { $0.values.allSatisfy { $0 == 0 } })
        // A response that has not arrived yet cannot be released.
        await news.wait {
            fixture.fixture.origin.release(label: "other")
            return isAnswered.withLock { $0 }
        }
        _ = try? await other.value
        #expect(fixture.fixture.requestLines.contains("GET /other"))
        fixture.downloads.resumeAll()
        await news.wait { ends.elements.count == 3 }
        #expect(Set(ends.elements) == ["f0 done", "f1 done", "f2 done"])
        #expect(fixture.fixture.hits == 4)
    }

    @Test(
        "Exactly the listed downloads are cancelled, and keep their parts",
        .checks("sjnetwork.control.cancel-one", "sjnetwork.control.cancel-many"),
        arguments: [["f1"], ["f0", "f3"]]
    )
    func cancelSome(paths: [String]) async throws {
        let fixture = try slow()
        let (ends, progress) = try await start(fixture, 4)
        fixture.fixture.clock.advance(by: .seconds(1))
        await news.wait { progress.withLock { $0.values.filter { $0 == 100 }.count } == 4 }
        fixture.downloads.cancel(paths)
        fixture.downloads.cancel("unknown")
        await news.wait { ends.elements.count == paths.count }
        #expect(Set(ends.elements) == Set(paths.map { "\($0) -999 true" }))
        await news.wait { fixture.fixture.origin.record().count(where: \.isAborted) == paths.count }
        for _ in 0..<10 { await tick(fixture, 0) }
        await news.wait { ends.elements.count == 4 }
        #expect(ends.elements.count { $0.hasSuffix("done") } == 4 - paths.count)
    }

    @Test("All downloads fail once, and other requests do not", .checks("sjnetwork.control.cancel-all"))
    func cancelAll() async throws {
        let fixture = try slow()
        let session = fixture.downloads.session
        let (ends, _) = try await start(fixture, 3)
        let other = Task { try await session.send(.get("other").with { $0.serializer = nil }) }
        await fixture.fixture.waitForParked(4)
        fixture.downloads.cancelAll()
        fixture.downloads.cancelAll()
        await news.wait { ends.elements.count == 3 }
        #expect(Set(ends.elements) == ["f0 -999 false", "f1 -999 false", "f2 -999 false"])
        await news.wait { fixture.fixture.origin.parked.count == 1 }
        fixture.fixture.origin.release(label: "other")
        _ = try? await other.value
        #expect(fixture.fixture.origin.record().filter { $0.path == "/other" }.map(\.isAborted) == [false])
        #expect(fixture.downloads.running == [])
    }

    @Test(
        "A suspended download does not time out, a running one does",
        .checks("sjnetwork.control.suspended-timeout")
    )
    func suspendedTimeout() async throws {
        let fixture = try slow()
        let (ends, progress) = try await start(fixture, 2) { $0.timeout = .seconds(5) }
        fixture.fixture.clock.advance(by: .seconds(1))
        await news.wait { progress.withLock { $0.values.filter { $0 == 100 }.count } == 2 }
        fixture.downloads.suspend("f0")
        // Each piece must arrive before the next second starts, or the other download would time out.
        for piece in 2...10 {
            await tick(fixture, 0)
            await news.wait { progress.withLock { $0["f1"] } == 100 * piece }
        }
        await news.wait { ends.elements == ["f1 done"] }
        fixture.fixture.clock.advance(by: .seconds(50))
        fixture.downloads.resume("f0")
        await news.wait { ends.elements.count == 2 }
        #expect(ends.elements == ["f1 done", "f0 done"])
    }

    @Test("A suspended download that is resumed in the background starts no timeout there")
    func resumedInBackground() async throws {
        let fixture = try slow()
        let (ends, progress) = try await start(fixture, 1) { $0.timeout = .seconds(5) }
        fixture.fixture.clock.advance(by: .seconds(1))
        await news.wait { progress.withLock { $0["f0"] } == 100 }
        fixture.downloads.suspend("f0")
        fixture.downloads.enterBackground()
        await news.wait { fixture.fixture.origin.record().count(where: \.isAborted) == 1 }
        await news.wait { fixture.fixture.clock.nextDeadline == nil }
        fixture.downloads.resume("f0")
        #expect(fixture.fixture.clock.nextDeadline == nil)
        fixture.downloads.cancelAll()
        await news.wait { ends.elements.count == 1 }
        #expect(ends.elements == ["f0 -999 true"])
    }

    @Test("A download that receives nothing fails at its timeout")
    func timeout() async throws {
        let fixture = try DownloadFixture(.file { $0.hold = .head })
        let (ends, request) = (Collector<Int>(), fixture.request().with { $0.timeout = .seconds(5) })
        try fixture.downloads.start(request) { result in
            if case .failure(let failure) = result { ends.add(failure.error.code.rawValue) }
        }
        await news.wait {
            fixture.fixture.clock.nextDeadline == .seconds(5) && fixture.fixture.origin.parked.count == 1
        }
        fixture.fixture.clock.advance(by: .seconds(5))
        await news.wait { ends.elements == [-1001] }
    }

    @Test(
        "All four combinations of resumable and detached can be suspended, resumed, cancelled and interrupted",
        .checks("sjnetwork.control.all-downloads", "sjnetwork.download.four-combinations"),
        arguments: [true, false],
        [true, false]
    )
    func combinations(isResumable: Bool, isDetached: Bool) async throws {
        let fixture = try slow()
        let (ends, progress) = try await start(fixture, 3) {
            $0.isResumable = isResumable
            $0.isDetached = isDetached
        }
        fixture.fixture.clock.advance(by: .seconds(1))
        await news.wait { progress.withLock { $0.values.filter { $0 == 100 }.count } == 3 }
        fixture.downloads.suspendAll()
        fixture.downloads.cancel("f0")
        await news.wait { ends.elements.count == 1 }
        #expect(ends.elements == ["f0 -999 \(isResumable)"])
        fixture.downloads.resume(["f1", "f2"])
        for _ in 0..<10 { await tick(fixture, 0) }
        await news.wait { ends.elements.count == 3 }
        let broken = try DownloadFixture(.broken(at: 500), .file())
        let request = broken.request().with {
            $0.isResumable = isResumable
            $0.isDetached = isDetached
        }
        let failed = await failure { () async throws(DownloadFailure) in
            try await broken.downloads.download(request)
        }
        #expect((failed?.partialPath != nil) == isResumable)
        #expect(try await broken.downloads.download(request).resumedFrom.bytes == (isResumable ? 500 : 0))
    }

    @Test(
        "In the background, a download stops without failing and later continues; a detached one does not stop",
        .checks("sjnetwork.download.foreground-task", "sjnetwork.download.background-task")
    )
    func background() async throws {
        let fixture = try slow(then: [.file()])
        let (ends, progress) = try await start(fixture, 2) { $0.isDetached = $0.path == "f1" }
        fixture.fixture.clock.advance(by: .seconds(1))
        await news.wait { progress.withLock { $0.values.filter { $0 == 100 }.count } == 2 }
        fixture.downloads.enterBackground()
        await news.wait { fixture.fixture.origin.record().count(where: \.isAborted) == 1 }
        for _ in 0..<10 { await tick(fixture, 0) }
        await news.wait { ends.elements == ["f1 done"] }
        fixture.downloads.enterForeground()
        await news.wait { fixture.fixture.hits == 3 }
        for _ in 0..<10 { await tick(fixture, 0) }
        await news.wait { ends.elements.count == 2 }
        #expect(ends.elements == ["f1 done", "f0 done"])
        #expect(fixture.ranges()[2] == "bytes=100-" && bytes(fixture.place("out0")) == whole)
    }
}
