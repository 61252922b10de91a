import CLibrary
import Clocks
import LocatedYAML
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("A folder as a site", .timeLimit(.minutes(20)), .blocking)
struct SiteTests {
    private let clock = VirtualClock(wallSeconds: MockServerFixture.begin)

    /// A server that follows the site of a folder, and its reports of changes.
    private final class Served: Sendable {
        let server: MockServer
        let events: AsyncStream<SiteEvent>

        init(_ folder: TestFolder, _ clock: VirtualClock) throws {
            var configuration = MockServer.Configuration()
            configuration.fixtureFolder = folder.path
            server = MockServer(configuration, clock: clock)
            let (stream, sink) = AsyncStream.makeStream(of: SiteEvent.self)
            events = stream
            try server.follow(SiteSource(folder: folder.path)) { sink.yield($0) }
            try server.start()
        }

        deinit { server.stop() }

        func ask(_ target: String, _ lines: [String] = [], method: String = "GET", body: String = "") throws
            -> RawResponse
        {
            let client = try RawClient(port: server.port)
            try client.request(method, target, lines, body: body)
            return try client.response(toHead: method == "HEAD")
        }
    }

    @Test("Files are served with a type, validators and ranges; the index is served for its folder")
    func files() throws {
        let folder = try TestFolder([
            "index.html": "<p>", "a/b.css": "p{}", "a/index.html": "A", "x.unknown": "1",
        ])
        let served = try Served(folder, clock)
        let index = try served.ask("/")
        #expect(index["Content-Type"] == "text/html; charset=utf-8")
        #expect(index.text == "<p>")
        #expect(index["Accept-Ranges"] == "bytes")
        #expect(index["Vary"] == "Accept-Encoding")
        let style = try served.ask("/a/b.css?v=1")
        #expect(style["Content-Type"] == "text/css; charset=utf-8")
        #expect(style["ETag"] == "\"7a4751fa9748e84d3723692e174fafbf\"")
        #expect(
            try served.ask("/a/b.css", ["If-None-Match: \"7a4751fa9748e84d3723692e174fafbf\""]).status == 304
        )
        #expect(try served.ask("/a/b.css", ["Range: bytes=0-0"]).text == "p")
        #expect(try served.ask("/x.unknown")["Content-Type"] == "application/octet-stream")
        #expect(try served.ask("/a/").text == "A")
        #expect(try served.ask("/a?x=1")["Location"] == "/a/?x=1")
        #expect(try served.ask("/a/b.css", method: "POST", body: "x").status == 405)
    }

    @Test(
        "New content of a file has another entity tag, though its size and time of modification are the same"
    )
    func sameTime() throws {
        let folder = try TestFolder([:])
        let path = try folder.write("a.txt", Array("AAAA".utf8), at: 1_767_225_600)
        let served = try Served(folder, clock)
        let first = try served.ask("/a.txt")
        let changed = Self.changeTime(path)
        // As `rsync --inplace --times` does it. The time of change counts in ticks of the system.
        repeat {
            let file = try #require(fopen(path, "r+"))
            fputs("BBBB", file)
            fclose(file)
            let time = timespec(tv_sec: 1_767_225_600, tv_nsec: 0)
            utimensat(AT_FDCWD, path, [time, time], 0)
        } while Self.changeTime(path) == changed && !Task.isCancelled
        let second = try served.ask("/a.txt")
        #expect((first.text, second.text) == ("AAAA", "BBBB"))
        #expect(first["Last-Modified"] == second["Last-Modified"])
        #expect(first["ETag"] != second["ETag"])
        let tag = try #require(first["ETag"])
        #expect(try served.ask("/a.txt", ["If-None-Match: \(tag)"]).status == 200)
    }

    private static func changeTime(_ path: String) -> Int {
        var status = stat()
        _ = stat(path, &status)
        return status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
    }

    @Test(
        "No path leads outside the folder, to hidden files or to the site's own files",
        arguments: [
            "/../secret", "/%2e%2e/secret", "/..%2fsecret", "/a/../../secret", "/a/%2E%2E/%2e./secret",
            "/out", "/dir/secret",
            "/.git/config", "/a/.hidden", "/site.yaml", "/routes/more.yaml", "/routes/more.yml",
            "/routes/more.json", "/a%00b", "/./index.html",
            "//../secret",
            "/up/index.html/..", "/index.html/", "/pipe",
        ]
    )
    func outside(target: String) throws {
        let above = try TestFolder([
            "secret": "s", "site/index.html": "i", "site/.git/config": "c", "site/a/.hidden": "h",
        ])
        let folder = try TestFolder([
            "index.html": "i", ".git/config": "c", "a/.hidden": "h", "site.yaml": "{}",
            "routes/more.yaml": "{routes: [{answer: {status: 404}}]}",
            "routes/more.yml": "{routes: [{answer: {status: 404}}]}",
            "routes/more.json": "{\"routes\": [{\"answer\": {\"status\": 404}}]}",
        ])
        try folder.link("out", to: above.path + "/secret")
        try folder.link("dir", to: above.path)
        try folder.link("pipe", to: "/dev/zero")
        let served = try Served(folder, clock)
        let response = try served.ask(target)
        #expect(response.status == 404 || response.status == 400, "\(target)")
        #expect(!response.text.contains("s\n") && response.text != "s")
    }

    @Test(
        "A method that files do not have is not refused for a file that is not served",
        arguments: ["/.git/config", "/site.yaml"]
    )
    func methodOfHidden(target: String) throws {
        let folder = try TestFolder([".git/config": "c", "site.yaml": "{}", "a": "a"])
        let served = try Served(folder, clock)
        #expect(try served.ask(target, method: "PUT").status == 404)
        #expect(try served.ask("/a", method: "PUT").status == 405)
    }

    @Test("A link within the folder is followed")
    func insideLink() throws {
        let folder = try TestFolder(["a.txt": "one"])
        try folder.link("b.txt", to: "a.txt")
        #expect(try Served(folder, clock).ask("/b.txt").text == "one")
    }

    @Test("A large file is streamed whole, in part and by chunks")
    func large() throws {
        let folder = try TestFolder([
            "site.yaml": "[{path: /chunked, answer: {body: {file: big}, framing: chunked}}]"
        ])
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
        try folder.write("big", bytes)
        let served = try Served(folder, clock)
        #expect(try served.ask("/big").body == bytes)
        #expect(try served.ask("/chunked").body == bytes)
        #expect(
            try served.ask("/big", ["Range: bytes=1000000-2999998"]).body
                == Array(bytes[1_000_000...2_999_998])
        )
        #expect(try served.ask("/big", method: "HEAD")["Content-Length"] == "3000000")
    }

    @Test("A changed site is served at once, and an invalid one is refused while the old one stays")
    func reload() async throws {
        let folder = try TestFolder(["site.yaml": "[{path: /a, answer: {body: one}}]"])
        let served = try Served(folder, clock)
        var events = served.events.makeAsyncIterator()
        #expect(try served.ask("/a").text == "one")
        try folder.write("site.yaml", "[{path: /a, answer: {body: two}}]")
        guard case .loaded(routes: 1) = await events.next() else {
            Issue.record("not loaded")
            return
        }
        #expect(try served.ask("/a").text == "two")
        try folder.write("site.yaml", "[{path: /a, answer: {bdy: 3}}]")
        guard case .refused(let problems) = await events.next() else {
            Issue.record("not refused")
            return
        }
        #expect(problems.description.hasPrefix(folder.path + "/site.yaml:1:"))
        #expect(try served.ask("/a").text == "two")
        // Without a writer a pipe would be waited for.
        let path = folder.path + "/site.yaml"
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0 && rename(folder.path + "/pipe", path) == 0)
        guard case .refused(let pipe) = await events.next() else {
            Issue.record("not refused")
            return
        }
        #expect(pipe.description.contains("it is a pipe"))
        #expect(try served.ask("/a").text == "two")
        #expect(unlink(path) == 0)
        try folder.write("site.yaml", "[]")
        _ = await events.next()
        try folder.write("routes/b.yaml", "[{path: /b, answer: {body: b}}]")
        try folder.write("site.yaml", "[{path: /a, answer: {body: four}}]")
        while let event = await events.next() {
            if case .loaded(routes: 2) = event { break }
        }
        #expect(try served.ask("/b").text == "b")
    }

    @Test("A site that is invalid from the start is refused with all problems of all files")
    func wrong() throws {
        let folder = try TestFolder(["site.yaml": "[{path: a, answer: {}}]", "routes.json": "{\"rotes\": 1}"])
        let server = MockServer(clock: clock)
        #expect {
            try server.follow(SiteSource(folder: folder.path, files: [folder.path + "/none.yaml"]))
        } throws: { error in
            (error as? YAMLProblems)?.problems.map { "\($0.position)".dropFirst(folder.path.count + 1) } == [
                "none.yaml:1:1", "routes.json:1:2", "site.yaml:1:9",
            ]
        }
    }

    @Test("A route for GET answers HEAD, unless there is one for HEAD; other methods get the allowed ones")
    func methods() throws {
        let folder = try TestFolder([
            "site.yaml": """
            - {path: /a, method: GET, query: {x: absent}, answer: {body: abc, etag: '"v1"'}}
            - {path: /a, method: PUT, answer: {status: 204}}
            - {path: /b, method: GET, answer: {body: get}}
            - {path: /b, method: HEAD, answer: {status: 204}}
            - {path: /c, query: {x: '1'}, answer: {body: any}}
            """
        ])
        let served = try Served(folder, clock)
        let head = try served.ask("/a", method: "HEAD")
        #expect(head.status == 200 && head["Content-Length"] == "3" && head["ETag"] == "\"v1\"")
        #expect(try served.ask("/b", method: "HEAD").status == 204)
        let refusal = try served.ask("/a", method: "POST", body: "x")
        #expect(refusal.status == 405 && refusal["Allow"] == "GET, HEAD, PUT")
        #expect(refusal.text.contains("method is POST, expected GET"))
        #expect(try served.ask("/a?x=1").status == 404)
        #expect(try served.ask("/c", method: "POST", body: "x").status == 404)
        #expect(try served.ask("/none", method: "POST", body: "x").status == 404)
    }

    @Test("The journal names the route, and `files` for files")
    func labels() throws {
        let folder = try TestFolder(["a.txt": "1", "site.yaml": "[{path: /a, label: first, answer: {}}]"])
        let served = try Served(folder, clock)
        for target in ["/a", "/a.txt", "/none"] { _ = try served.ask(target) }
        #expect(served.server.journal().map(\.route) == ["first", "files", nil])
    }
}
