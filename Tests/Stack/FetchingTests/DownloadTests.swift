import CacheClient
import Clocks
@testable import Fetching
import HTTPServing
import HTTPTypes
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Downloads of one session, and the files they make.
private struct DownloadStage {
    let stage: FetchStage
    let downloads: Downloads

    init(_ routes: [Route], _ change: (inout FetchConfiguration) -> Void = { _ in }) throws {
        let made = try FetchStage(routes)
        stage = made
        downloads = Self.downloads(made, change)
    }

    init(_ answers: Answer...) throws { try self.init([Route(label: "1", answers: answers)]) }

    static func downloads(_ stage: FetchStage, _ change: (inout FetchConfiguration) -> Void = { _ in })
        -> Downloads
    {
        Downloads(
            stage.session(FetchConfiguration(), change),
            transport: stage.transport,
            partialFolder: stage.folder.path + "/parts"
        )
    }

    /// What another process would have.
    func restarted() -> Downloads { Self.downloads(stage) }

    func place(_ name: String) -> String { stage.folder.path + "/" + name }

    func request(_ path: String = "a.bin", to name: String = "out.bin") -> DownloadRequest {
        DownloadRequest(path, to: place(name))
    }

    var parts: [String] { stage.folder.names(in: "parts") }

    func ranges() -> [String?] {
        stage.origin.record().map { exchange in
            exchange.fields.first { $0.name.lowercased() == "range" }?.value
        }
    }

    func sentBytes() -> [Int] { stage.origin.record().map { $0.body.count } }
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

    /// As `file`, broken off after so many bytes.
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

@Suite("Downloads to files", .timeLimit(.minutes(5)))
struct DownloadTests {
    @Test(
        "A download is resumable and not detached unless it says otherwise",
        .checks("sjnetwork.download.defaults")
    )
    func defaults() {
        let request = DownloadRequest("a", to: "b")
        #expect(request.isResumable && !request.isDetached)
    }

    @Test(
        "The file is where it was wanted, whole, and no part is left beside it",
        .checks("sjnetwork.download.destination", "sjnetwork.download.progress")
    )
    func destination() async throws {
        let stage = try DownloadStage(.file())
        overwrite(stage.place("out.bin"), [9, 9])
        let heard = Lock([TransferProgress]())
        let file = try await stage.downloads.download(stage.request()) { progress in
            heard.withLock { $0.append(progress) }
        }
        #expect(file == DownloadedFile(path: stage.place("out.bin"), size: 1000, resumedFrom: 0))
        #expect(bytes(file.path) == whole)
        #expect(stage.parts == [])
        let progress = heard.withLock { $0 }
        #expect(progress.map(\.completed) == progress.map(\.completed).sorted())
        #expect(progress.first?.completed == 0 && progress.last?.fraction == 1)
        #expect(progress.allSatisfy { $0.total == 1000 })
    }

    @Test(
        "In a folder a file has the last part of its URL as name",
        .checks("sjnetwork.download.destination")
    )
    func intoFolder() async throws {
        let stage = try DownloadStage(.file())
        let file = try await stage.downloads.download(stage.request("x/y%20z.bin?q=1", to: "new/folder/"))
        #expect(file.path == stage.place("new/folder/y z.bin"))
        #expect(bytes(file.path) == whole)
    }

    @Test(
        "A resumable download that fails keeps what has come, and another process asks for the rest only",
        .checks(
            "sjnetwork.download.resumable-keeps-partial",
            "sjnetwork.download.resumable-continues",
            "sjnetwork.download.partial-metadata",
            "sjnetwork.download.progress",
            "principle.resume-not-resend"
        )
    )
    func resumes() async throws {
        let stage = try DownloadStage(.broken(at: 250), .file())
        let failed = try #require(
            await failure { () async throws(DownloadFailure) in
                try await stage.downloads.download(stage.request())
            }
        )
        #expect(failed.error.code == -1005)
        let path = try #require(failed.partialPath)
        #expect(bytes(path) == Array(whole.prefix(250)))
        let part = try #require(try stage.downloads.partialDownloads().first)
        #expect((part.ratio, part.total, part.received, part.path) == (0.25, 1000, 250, path))
        #expect(bytes(stage.place("out.bin")) == nil)
        let heard = Lock([Int]())
        let file = try await stage.restarted().download(stage.request()) { progress in
            heard.withLock { $0.append(progress.completed) }
        }
        #expect(file.resumedFrom == 250 && bytes(file.path) == whole)
        #expect(stage.ranges() == [nil, "bytes=250-"])
        #expect(
            stage.stage.origin.record()[1].fields.first { $0.name.lowercased() == "if-range" }?.value
                == "\"v1\""
        )
        #expect(stage.stage.origin.record().map(\.status) == [200, 206])
        #expect(heard.withLock { $0.first } == 250 && heard.withLock { $0.last } == 1000)
        #expect(stage.parts == [])
    }

    @Test("Two interruptions in a row are gone over", .checks("sjnetwork.download.resumable-continues"))
    func twice() async throws {
        let stage = try DownloadStage(.broken(at: 600), .broken(at: 200), .file())
        for kept in [600, 800] {
            let failed = await failure { () async throws(DownloadFailure) in
                try await stage.restarted().download(stage.request())
            }
            #expect(failed?.partialPath.flatMap { bytes($0)?.count } == kept)
        }
        let file = try await stage.restarted().download(stage.request())
        #expect(bytes(file.path) == whole && file.resumedFrom == 800)
        #expect(stage.ranges() == [nil, "bytes=600-", "bytes=800-"])
    }

    @Test("A download that is not resumable begins anew", .checks("sjnetwork.download.not-resumable"))
    func notResumable() async throws {
        let stage = try DownloadStage(.broken(at: 500), .file())
        let request = stage.request().with { $0.isResumable = false }
        let failed = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(request)
        }
        #expect(failed?.error.code == -1005 && failed?.partialPath == nil)
        #expect(stage.parts == [])
        let file = try await stage.downloads.download(request)
        #expect(bytes(file.path) == whole && stage.ranges() == [nil, nil])
    }

    @Test("A part of a resource that has changed is not used", .checks("sjnetwork.download.changed-resource"))
    func changed() async throws {
        let other = pattern(800, seed: 2)
        let stage = try DownloadStage(.broken(at: 500), .file(other, tag: "\"v2\""))
        _ = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(stage.request())
        }
        let file = try await stage.downloads.download(stage.request())
        #expect(bytes(file.path) == other && file.resumedFrom == 0)
        #expect(stage.stage.origin.record().map(\.status) == [200, 200])
    }

    @Test("A whole answer to a range replaces the part", .checks("sjnetwork.download.range-ignored"))
    func rangeIgnored() async throws {
        let stage = try DownloadStage(.broken(at: 500), .file { $0.ranges = .ignored })
        _ = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(stage.request())
        }
        let file = try await stage.downloads.download(stage.request())
        #expect(bytes(file.path) == whole && stage.ranges() == [nil, "bytes=500-"])
    }

    @Test("Without a strong validator nothing is asked for in parts", arguments: ["W/\"v1\"", nil])
    func weak(tag: String?) async throws {
        let stage = try DownloadStage(.broken(at: 500, tag: tag), .file(tag: tag))
        _ = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(stage.request())
        }
        let file = try await stage.downloads.download(stage.request())
        #expect(bytes(file.path) == whole && stage.ranges() == [nil, nil])
    }

    @Test(
        "A part as long as the whole is the whole, where the server says so",
        .checks("sjnetwork.download.range-unsatisfiable")
    )
    func unsatisfiable() async throws {
        let unended = Answer.file {
            $0.framing = .chunked
            $0.faults = [Fault(.close, at: .end)]
        }
        let stage = try DownloadStage(unended, .file())
        let failed = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(stage.request())
        }
        #expect(failed?.partialPath.flatMap { bytes($0)?.count } == 1000)
        let file = try await stage.downloads.download(stage.request())
        #expect(stage.stage.origin.record().map(\.status) == [200, 416])
        #expect(bytes(file.path) == whole)
    }

    @Test("A part longer than the whole is begun anew", .checks("sjnetwork.download.range-unsatisfiable"))
    func unsatisfiableLonger() async throws {
        let unended = Answer.file {
            $0.framing = .chunked
            $0.faults = [Fault(.close, at: .end)]
        }
        let shorter = Answer.file(Array(whole.prefix(700)))
        let stage = try DownloadStage(unended, shorter)
        _ = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(stage.request())
        }
        let file = try await stage.downloads.download(stage.request())
        #expect(bytes(file.path) == Array(whole.prefix(700)))
        #expect(stage.stage.origin.record().map(\.status) == [200, 416, 200])
    }

    @Test(
        "A 206 that does not fit the part is not added to it",
        arguments: [
            "bytes 400-999/1000", "bytes 500-1199/1200", "bytes 500-999", "nonsense", "bytes 500-100/1000",
        ]
    )
    func wrongRange(range: String) async throws {
        var wrong = Answer()
        wrong.status = 206
        wrong.body = .bytes(Array(whole.suffix(500)))
        wrong.fields = [FieldLine("Content-Range", .text(range)), FieldLine("ETag", .text("\"v1\""))]
        let stage = try DownloadStage(.broken(at: 500), wrong, .file())
        _ = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(stage.request())
        }
        let file = try await stage.downloads.download(stage.request())
        #expect(bytes(file.path) == whole && stage.ranges() == [nil, "bytes=500-", nil])
    }

    @Test("A 206 of another version is not added to the part")
    func otherTag() async throws {
        var wrong = Answer()
        wrong.status = 206
        wrong.body = .bytes(Array(whole.suffix(500)))
        wrong.fields = [
            FieldLine("Content-Range", .text("bytes 500-999/1000")), FieldLine("ETag", .text("\"v2\"")),
        ]
        let stage = try DownloadStage(.broken(at: 500), wrong, .file())
        _ = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(stage.request())
        }
        let file = try await stage.downloads.download(stage.request())
        #expect(bytes(file.path) == whole && stage.ranges() == [nil, "bytes=500-", nil])
    }

    @Test(
        "A damaged or shortened part is begun anew, and what is more than was recorded is cut off",
        arguments: [("damaged", nil), ("shortened", nil), ("longer", "bytes=500-"), ("record", nil)]
            as [(String, String?)]
    )
    func damaged(how: String, range: String?) async throws {
        let stage = try DownloadStage(.broken(at: 500), .file())
        let failed = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(stage.request())
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
        let file = try await stage.restarted().download(stage.request())
        #expect(bytes(file.path) == whole && stage.ranges() == [nil, range])
    }

    @Test("What is whole already is moved to its place without a request")
    func wholePart() async throws {
        let stage = try DownloadStage(.file())
        overwrite(stage.place("blocked"), [1])
        let failed = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(stage.request(to: "blocked/out.bin"))
        }
        #expect(failed?.error.kind == .storage)
        #expect(failed?.partialPath.flatMap { bytes($0) } == whole)
        let file = try await stage.restarted().download(stage.request())
        #expect(bytes(file.path) == whole && stage.stage.hits == 1)
    }

    @Test("An error status leaves no part and the old file as it was")
    func errorStatus() async throws {
        var answer = Answer()
        answer.status = 404
        answer.body = .text("no")
        let stage = try DownloadStage(answer)
        overwrite(stage.place("out.bin"), [7])
        let failed = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(stage.request())
        }
        #expect(failed?.error.status == 404 && failed?.partialPath == nil)
        #expect(bytes(stage.place("out.bin")) == [7] && stage.parts == [])
    }

    @Test(
        "A second download of the same URL, or to the same file, is refused and says so",
        .checks("sjnetwork.download.duplicate-start")
    )
    func duplicates() async throws {
        let stage = try DownloadStage(.file { $0.stall = .head })
        try stage.downloads.start(stage.request()) { _ in }
        let again = #expect(throws: DownloadFailure.self) {
            try stage.downloads.start(stage.request(to: "other.bin")) { _ in }
        }
        #expect(again?.error.reason.contains("already") == true)
        let samePlace = #expect(throws: DownloadFailure.self) {
            try stage.downloads.start(stage.request("b.bin")) { _ in }
        }
        #expect(samePlace?.error.reason.contains("out.bin") == true)
        await stage.stage.waitForParked(1)
        #expect(stage.stage.hits == 1 && stage.downloads.running == ["a.bin"])
        stage.stage.origin.release(label: nil)
        #expect(try await stage.downloads.end(of: "a.bin")?.get().size == 1000)
        _ = try? stage.downloads.start(stage.request()) { _ in }
        stage.downloads.cancelAll()
    }

    @Test(
        "A complete URL is used as it is",
        .checks("sjnetwork.download.ignore-base-url", "sjnetwork.control.identify-by-given-url")
    )
    func completeURL() async throws {
        let stage = try DownloadStage(.file { $0.stall = .head })
        let other = try FetchStage(.file { $0.stall = .head })
        let url = other.base + "/universe.jpg"
        try stage.downloads.start(stage.request("universe.jpg")) { _ in }
        try stage.downloads.start(stage.request(url, to: "other.bin")) { _ in }
        #expect(stage.downloads.running == [url, "universe.jpg"].sorted())
        stage.downloads.suspend("universe.jpg")
        #expect(stage.downloads.suspended == ["universe.jpg"])
        stage.downloads.suspend(url)
        #expect(stage.downloads.suspended == [url, "universe.jpg"].sorted())
        await other.waitForParked(1)
        #expect(other.requestLines == ["GET /universe.jpg"])
        stage.downloads.cancelAll()
    }

    @Test("Nothing forbids a detached download here", .checks("sjnetwork.download.background-caution"))
    func detachedIsAllowed() async throws {
        let stage = try DownloadStage(.file())
        #expect(
            try await stage.downloads.download(stage.request().with { $0.isDetached = true }).size == 1000
        )
    }

    @Test(
        "A detached download goes on without its caller, another one ends with it",
        .checks("sjnetwork.download.background-task"),
        arguments: [true, false]
    )
    func callerLeaves(isDetached: Bool) async throws {
        let stage = try DownloadStage(.file { $0.stall = .head })
        let request = stage.request().with { $0.isDetached = isDetached }
        let downloads = stage.downloads
        let task = Task { try await downloads.download(request) }
        await stage.stage.waitForParked(1)
        task.cancel()
        guard isDetached else {
            await #expect(throws: DownloadFailure.self) { _ = try await task.value }
            return
        }
        stage.stage.origin.release(label: nil)
        _ = await downloads.end(of: "a.bin")
        await news.wait { bytes(stage.place("out.bin")) == whole }
    }

    @Test(
        "A part that grows is on disk while the rest is still coming",
        .checks("sjnetwork.download.streams-to-disk")
    )
    func streams() async throws {
        let big = pattern(300_000)
        let stage = try DownloadStage(
            .file(big) { $0.faults = [Fault(.stall(.untilReleased), at: .body, byte: 200_000)] }
        )
        try stage.downloads.start(stage.request()) { _ in
            news.tell()
        } completion: { _ in
            news.tell()
        }
        await news.wait { stage.parts.first.flatMap { bytes(stage.place("parts/" + $0)) }?.count == 200_000 }
        #expect(bytes(stage.place("out.bin")) == nil)
        stage.stage.origin.release(label: nil)
        await news.wait { bytes(stage.place("out.bin")) == big }
    }

    @Test(
        "A part on a full disk is told, kept, and gone on with when there is room",
        .enabled(if: SmallFileSystem.isAvailable)
    )
    func diskFull() async throws {
        let content = pattern(200_000)
        let stage = try DownloadStage(.file(content))
        let disk = try #require(SmallFileSystem(stage.place("parts"), kibibytes: 64))
        defer { disk.remove() }
        let failed = await failure { () async throws(DownloadFailure) in
            try await stage.downloads.download(stage.request())
        }
        #expect(failed?.error.description.contains("No space left") == true)
        let kept = try #require(failed?.partialPath.flatMap { bytes($0) })
        #expect(!kept.isEmpty && kept == Array(content.prefix(kept.count)))
        #expect(bytes(stage.place("out.bin")) == nil)
        try disk.grow(kibibytes: 1024)
        let file = try await stage.downloads.download(stage.request())
        #expect(bytes(file.path) == content && file.resumedFrom == kept.count)
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
            // What one sees as one character: a slash with an accent, and with a sign that joins what follows.
            ("attachment; filename=\"a/\u{301}b.txt\"", "\u{301}b.txt"),
            ("attachment; filename=\"../a\u{6DD}/..\\\\\u{301}b.txt\"", "\u{301}b.txt"),
        ] as [(String, String?)]
    )
    func dispositions(field: String, expected: String?) {
        #expect(FileName.of(disposition: field) == expected)
    }

    @Test(
        "A URL gives a name that stays in its folder",
        arguments: [
            ("http://h/a/b.bin?x=/y", "b.bin"), ("http://h/", "download"), ("http://h", "download"),
            ("http://h/..", "download"), ("http://h/%2e%2e%2fpasswd", "passwd"), ("http://h/%ff", "%ff"),
            ("http://h/%2e%2e%2f%cc%81a", "\u{301}a"), ("http://h/a%db%9d%2f%2e%2e", "download"),
        ]
    )
    func names(url: String, expected: String) {
        #expect(FileName.of(url: url) == expected)
    }

    @Test("The server's name counts in a folder where that is asked for, and cannot leave it")
    func serverNames() async throws {
        let stage = try DownloadStage(
            .file {
                $0.fields.append(
                    FieldLine("Content-Disposition", .text("attachment; filename=\"../../evil.bin\""))
                )
            }
        )
        let request = stage.request(to: "in/").with { $0.naming = .server }
        #expect(try await stage.downloads.download(request).path == stage.place("in/evil.bin"))
        #expect(!stage.stage.folder.names.contains("evil.bin"))
    }
}

@Suite("Downloads that are suspended, resumed and cancelled", .timeLimit(.minutes(5)))
struct DownloadControlTests {
    /// Files in pieces, a virtual second apart.
    private func slow(then others: [Answer] = []) throws -> DownloadStage {
        let answer = Answer.file {
            $0.fields.append(FieldLine("Content-Length", .text("1000")))
            $0.chunks = [Int](repeating: 100, count: 10)
            $0.chunkDelay = .seconds(1)
        }
        return try DownloadStage([
            Route(
                label: "files",
                path: .prefix("/f"),
                answers: others.isEmpty ? [answer] : [answer, answer] + others
            ), Route(label: "other", path: .exact("/other"), answers: [.file { $0.stall = .head }]),
        ])
    }

    private func start(
        _ stage: DownloadStage,
        _ count: Int,
        _ change: (inout DownloadRequest) -> Void = { _ in }
    ) async throws -> (ends: Collector<String>, progress: Lock<[String: Int]>) {
        let (ends, progress) = (Collector<String>(), Lock([String: Int]()))
        for number in 0..<count {
            var request = stage.request("f\(number)", to: "out\(number)")
            change(&request)
            try stage.downloads.start(request) { value in
                progress.withLock { $0["f\(number)"] = value.completed }
                news.tell()
            } completion: { result in
                switch result {
                case .success: ends.add("f\(number) done")
                case .failure(let error):
                    ends.add("f\(number) \(error.error.code) \(error.partialPath != nil)")
                }
            }
        }
        await stage.stage.waitForParked(count)
        return (ends, progress)
    }

    /// Moves the clock by a second, when everything that was sent before has come.
    private func tick(_ stage: DownloadStage, _ count: Int) async {
        await news.wait { stage.stage.origin.parked.count == count || stage.stage.origin.isAtRest }
        stage.stage.clock.advance(by: .seconds(1))
    }

    @Test(
        "Suspended downloads receive nothing while others go on; resumed they complete without beginning anew",
        .checks(
            "sjnetwork.control.suspend-one",
            "sjnetwork.control.resume-one",
            "sjnetwork.control.suspend-many",
            "sjnetwork.control.resume-many"
        ),
        arguments: [["f0"], ["f0", "f2"]]
    )
    func suspendSome(paths: [String]) async throws {
        let stage = try slow()
        let (ends, progress) = try await start(stage, 4)
        stage.stage.clock.advance(by: .seconds(1))
        await news.wait { progress.withLock { $0.values.filter { $0 == 100 }.count } == 4 }
        stage.downloads.suspend(paths)
        #expect(stage.downloads.suspended == paths)
        for _ in 0..<10 { await tick(stage, 0) }
        await news.wait { ends.elements.count == 4 - paths.count }
        #expect(paths.allSatisfy { path in progress.withLock { $0[path] } == 100 })
        #expect(stage.downloads.running == paths)
        stage.downloads.resume(paths)
        await news.wait { ends.elements.count == 4 }
        #expect(Set(ends.elements) == ["f0 done", "f1 done", "f2 done", "f3 done"])
        #expect(stage.stage.hits == 4 && stage.ranges() == [nil, nil, nil, nil])
        for number in 0..<4 { #expect(bytes(stage.place("out\(number)")) == whole) }
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
        let stage = try slow()
        let session = stage.downloads.session
        let isAnswered = Lock(false)
        let other = Task {
            defer {
                isAnswered.withLock { $0 = true }
                news.tell()
            }
            _ = try await session.get("other")
        }
        let (ends, progress) = try await start(stage, 3)
        stage.downloads.resume("f0")
        stage.downloads.resume("unknown")
        stage.downloads.suspendAll()
        for _ in 0..<10 { await tick(stage, 1) }
        #expect(ends.elements == [] && progress.withLock { $0.values.allSatisfy { $0 == 0 } })
        // What is not there yet cannot be released.
        await news.wait {
            stage.stage.origin.release(label: "other")
            return isAnswered.withLock { $0 }
        }
        _ = try? await other.value
        #expect(stage.stage.requestLines.contains("GET /other"))
        stage.downloads.resumeAll()
        await news.wait { ends.elements.count == 3 }
        #expect(Set(ends.elements) == ["f0 done", "f1 done", "f2 done"])
        #expect(stage.stage.hits == 4)
    }

    @Test(
        "Exactly the listed downloads are cancelled, and keep their parts",
        .checks("sjnetwork.control.cancel-one", "sjnetwork.control.cancel-many"),
        arguments: [["f1"], ["f0", "f3"]]
    )
    func cancelSome(paths: [String]) async throws {
        let stage = try slow()
        let (ends, progress) = try await start(stage, 4)
        stage.stage.clock.advance(by: .seconds(1))
        await news.wait { progress.withLock { $0.values.filter { $0 == 100 }.count } == 4 }
        stage.downloads.cancel(paths)
        stage.downloads.cancel("unknown")
        await news.wait { ends.elements.count == paths.count }
        #expect(Set(ends.elements) == Set(paths.map { "\($0) -999 true" }))
        await news.wait { stage.stage.origin.record().count(where: \.isAborted) == paths.count }
        for _ in 0..<10 { await tick(stage, 0) }
        await news.wait { ends.elements.count == 4 }
        #expect(ends.elements.count { $0.hasSuffix("done") } == 4 - paths.count)
    }

    @Test("All downloads fail once, and other requests do not", .checks("sjnetwork.control.cancel-all"))
    func cancelAll() async throws {
        let stage = try slow()
        let session = stage.downloads.session
        let other = Task { try await session.send(.get("other").with { $0.serializer = nil }) }
        let (ends, _) = try await start(stage, 3)
        stage.downloads.cancelAll()
        stage.downloads.cancelAll()
        await news.wait { ends.elements.count == 3 }
        #expect(Set(ends.elements) == ["f0 -999 false", "f1 -999 false", "f2 -999 false"])
        await news.wait { stage.stage.origin.parked.count == 1 }
        stage.stage.origin.release(label: "other")
        _ = try? await other.value
        #expect(stage.stage.origin.record().filter { $0.path == "/other" }.map(\.isAborted) == [false])
        #expect(stage.downloads.running == [])
    }

    @Test(
        "A suspended download does not time out, a running one does",
        .checks("sjnetwork.control.suspended-timeout")
    )
    func suspendedTimeout() async throws {
        let stage = try slow()
        let (ends, progress) = try await start(stage, 2) { $0.timeout = .seconds(5) }
        stage.stage.clock.advance(by: .seconds(1))
        await news.wait { progress.withLock { $0.values.filter { $0 == 100 }.count } == 2 }
        stage.downloads.suspend("f0")
        // Each piece has come before the next second begins, or the other one would time out.
        for piece in 2...10 {
            await tick(stage, 0)
            await news.wait { progress.withLock { $0["f1"] } == 100 * piece }
        }
        await news.wait { ends.elements == ["f1 done"] }
        stage.stage.clock.advance(by: .seconds(50))
        stage.downloads.resume("f0")
        await news.wait { ends.elements.count == 2 }
        #expect(ends.elements == ["f1 done", "f0 done"])
    }

    @Test("A download to which nothing comes fails when its time is over")
    func timeout() async throws {
        let stage = try DownloadStage(.file { $0.stall = .head })
        let (ends, request) = (Collector<Int>(), stage.request().with { $0.timeout = .seconds(5) })
        try stage.downloads.start(request) { result in
            if case .failure(let failure) = result { ends.add(failure.error.code) }
        }
        await news.wait {
            stage.stage.clock.nextDeadline == .seconds(5) && stage.stage.origin.parked.count == 1
        }
        stage.stage.clock.advance(by: .seconds(5))
        await news.wait { ends.elements == [-1001] }
    }

    @Test(
        "Resumable or not, detached or not: all four are suspended, resumed and cancelled, and go over a break",
        .checks("sjnetwork.control.all-downloads", "sjnetwork.download.four-combinations"),
        arguments: [true, false],
        [true, false]
    )
    func combinations(isResumable: Bool, isDetached: Bool) async throws {
        let stage = try slow()
        let (ends, progress) = try await start(stage, 3) {
            $0.isResumable = isResumable
            $0.isDetached = isDetached
        }
        stage.stage.clock.advance(by: .seconds(1))
        await news.wait { progress.withLock { $0.values.filter { $0 == 100 }.count } == 3 }
        stage.downloads.suspendAll()
        stage.downloads.cancel("f0")
        await news.wait { ends.elements.count == 1 }
        #expect(ends.elements == ["f0 -999 \(isResumable)"])
        stage.downloads.resume(["f1", "f2"])
        for _ in 0..<10 { await tick(stage, 0) }
        await news.wait { ends.elements.count == 3 }
        let broken = try DownloadStage(.broken(at: 500), .file())
        let request = broken.request().with {
            $0.isResumable = isResumable
            $0.isDetached = isDetached
        }
        let failed = await failure { () async throws(DownloadFailure) in
            try await broken.downloads.download(request)
        }
        #expect((failed?.partialPath != nil) == isResumable)
        #expect(try await broken.downloads.download(request).resumedFrom == (isResumable ? 500 : 0))
    }

    @Test(
        "In the background a download stops without failing and goes on by itself; a detached one does not stop",
        .checks("sjnetwork.download.foreground-task", "sjnetwork.download.background-task")
    )
    func background() async throws {
        let stage = try slow(then: [.file()])
        let (ends, progress) = try await start(stage, 2) { $0.isDetached = $0.path == "f1" }
        stage.stage.clock.advance(by: .seconds(1))
        await news.wait { progress.withLock { $0.values.filter { $0 == 100 }.count } == 2 }
        stage.downloads.enterBackground()
        await news.wait { stage.stage.origin.record().count(where: \.isAborted) == 1 }
        for _ in 0..<10 { await tick(stage, 0) }
        await news.wait { ends.elements == ["f1 done"] }
        stage.downloads.enterForeground()
        await news.wait { stage.stage.hits == 3 }
        for _ in 0..<10 { await tick(stage, 0) }
        await news.wait { ends.elements.count == 2 }
        #expect(ends.elements == ["f1 done", "f0 done"])
        #expect(stage.ranges()[2] == "bytes=100-" && bytes(stage.place("out0")) == whole)
    }
}
