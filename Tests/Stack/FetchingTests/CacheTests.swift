import CacheClient
import CacheStorage
import Clocks
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("The application cache", .timeLimit(.minutes(20)))
struct CacheTests {
    @Test(
        "By default, nothing is read or written",
        .checks("sjnetwork.request.no-cache-by-default")
    )
    func notByDefault() async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.sjNetwork, hasCache: true)
        for _ in 1...2 { _ = try await session.post("a") }
        #expect(fixture.hits == 2)
        #expect(try await session.cacheSize() == CacheSize(files: 0, total: .zero))
    }

    @Test(
        "Each method reads and writes the cache",
        .checks(
            "sjnetwork.cache.all-four-methods",
            "sjnetwork.cache.load-valid",
            "sjnetwork.cache.write-if-positive"
        ),
        arguments: [HTTPRequest.Method.get, .post, .put, .delete]
    )
    func methods(method: HTTPRequest.Method) async throws {
        let fixture = try FetchFixture(json("{\"a\":1}"))
        let session = fixture.session(.sjNetwork, hasCache: true)
        let request = FetchRequest(method, "a", parameters: ["k": "v"]).cached(for: .seconds(180))
        let first = try await session.send(request)
        let second = try await session.send(request)
        #expect(fixture.hits == 1)
        #expect(second.json == ["a": 1])
        #expect(second.json == first.json)
        #expect(second.source == .applicationCache)
        #expect(second.attempts == 0)
    }

    @Test("Without an entry the network is used", .checks("sjnetwork.cache.load-missing"))
    func missing() async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.sjNetwork, hasCache: true)
        let response = try await session.send(.post("a").with { $0.loadsCache = true })
        #expect(response.source == .client(.origin))
        #expect(fixture.hits == 1)
    }

    @Test(
        "A duration of zero or less stores nothing",
        .checks("sjnetwork.cache.no-write-if-not-positive"),
        arguments: [0, -1]
    )
    func notPositive(seconds: Int) async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.sjNetwork, hasCache: true)
        _ = try await session.send(.post("a").cached(for: .seconds(seconds)))
        #expect(try await session.cacheSize().files == 0)
    }

    @Test(
        "An entry is valid up to and including its duration, and not before it was stored",
        .checks("sjnetwork.cache.boundary"),
        arguments: [(180.0, true), (180.5, false), (-1, false)]
    )
    func boundary(seconds: Double, isValid: Bool) async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.sjNetwork, hasCache: true)
        let request = FetchRequest.post("a").cached(for: .seconds(180))
        _ = try await session.send(request)
        if seconds < 0 {
            fixture.clock.jump(by: .seconds(seconds))
        } else {
            fixture.clock.advance(by: .seconds(seconds))
        }
        _ = try await session.send(request)
        #expect(fixture.hits == (isValid ? 1 : 2))
    }

    @Test(
        "An expired entry is removed before the request is sent, and the new response is stored",
        .checks("sjnetwork.cache.expired-entry-is-cleared")
    )
    func expired() async throws {
        let fixture = try FetchFixture(json("1"), stalled(json("2")))
        let session = fixture.session(.sjNetwork, hasCache: true)
        let request = FetchRequest.post("a").cached(for: .seconds(180))
        _ = try await session.send(request)
        fixture.clock.advance(by: .seconds(181))
        let task = session.start(request)
        await fixture.waitForParked(1)
        #expect(try await session.cacheSize().files == 0)
        fixture.origin.release(label: nil)
        #expect(try await task.response().json == 2)
        #expect(try await session.cacheSize().files == 2)
    }

    @Test(
        "A request that does not load from the cache uses the network, and reading and writing are separate",
        .checks("sjnetwork.cache.load-false-ignores", "sjnetwork.cache.flags-independent")
    )
    func flags() async throws {
        let fixture = try FetchFixture(json("1"), json("2"), json("3"))
        let session = fixture.session(.sjNetwork, hasCache: true)
        let stores = FetchRequest.post("a").cached(for: .seconds(180), loading: false)
        let reads = FetchRequest.post("a").cached(for: .zero)
        _ = try await session.send(stores)
        fixture.clock.advance(by: .seconds(100))
        #expect(try await session.send(stores).json == 2)
        fixture.clock.advance(by: .seconds(100))
        #expect(try await session.send(reads).json == 2)
        fixture.clock.advance(by: .seconds(100))
        #expect(try await session.send(reads).json == 3)
        #expect(fixture.hits == 3)
        #expect(try await session.cacheSize().files == 0)
    }

    @Test(
        "The duration stored with an entry decides",
        .checks("sjnetwork.cache.duration-from-write")
    )
    func storedDuration() async throws {
        let fixture = try FetchFixture(json("1"))
        let session = fixture.session(.sjNetwork, hasCache: true)
        _ = try await session.send(.post("a").cached(for: .seconds(10)))
        fixture.clock.advance(by: .seconds(20))
        _ = try await session.send(.post("a").cached(for: .seconds(1000)))
        #expect(fixture.hits == 2)
    }

    @Test(
        "A second file has the information about an entry",
        .checks("sjnetwork.cache.metadata", "sjnetwork.cache.file-suffix", "sjnetwork.structure.utils")
    )
    func metadata() async throws {
        let fixture = try FetchFixture(json("{\"a\":1}"))
        let session = fixture.session(.sjNetwork, hasCache: true) {
            $0.applicationVersion = "1.2"
            $0.defaultParameters = ["app_version": .string($0.applicationVersion)]
        }
        let response = try await session.send(.post("a").cached(for: .seconds(180)))
        #expect(fixture.requestBodies == ["{\"app_version\":\"1.2\"}"])
        let identifier = response.request.identifier.description
        let cache = try #require(session.cache)
        #expect(try cache.folder.names() == [identifier + ".cacheData", identifier + ".cacheInfo"])
        #expect(try cache.folder.read(identifier + ".cacheData") == Array("{\"a\":1}".utf8))
        let text = try #require(try cache.folder.read(identifier + ".cacheInfo"))
        let information = try JSONValue(parsing: text)
        #expect(information["created"] == 1_767_225_600)
        #expect(information["duration"] == 180)
        #expect(information["expires"] == 1_767_225_780)
        #expect(information["applicationVersion"] == "1.2")
        #expect(information["identifier"] == .string(identifier))
        #expect(information["method"] == "POST")
    }

    @Test(
        "An entry of another application version is removed and not used",
        .checks("sjnetwork.cache.version-mismatch")
    )
    func version() async throws {
        let fixture = try FetchFixture(json("1"), stalled(json("2")))
        let session = fixture.session(.sjNetwork, hasCache: true) { $0.applicationVersion = "1.0" }
        let request = FetchRequest.post("a").cached(for: .seconds(180))
        _ = try await session.send(request)
        session.configure { $0.applicationVersion = "1.1" }
        let task = session.start(request)
        await fixture.waitForParked(1)
        #expect(try await session.cacheSize().files == 0)
        fixture.origin.release(label: nil)
        #expect(try await task.response().json == 2)
    }

    @Test(
        "A different base URL, URL, method or parameter has a different entry",
        .checks("sjnetwork.cache.key-parts")
    )
    func keyParts() async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.sjNetwork, hasCache: true)
        let requests = [
            FetchRequest.post("a", ["k": 1]), .post("b", ["k": 1]), .put("a", ["k": 1]), .post("a", ["k": 2]),
            .post("a", ["k": 1]).with { $0.base = .url(fixture.base + "/other") },
        ].map { $0.cached(for: .seconds(180)) }
        for request in requests { _ = try await session.send(request) }
        #expect(fixture.hits == 5)
        for request in requests { _ = try await session.send(request) }
        #expect(fixture.hits == 5)
        #expect(try await session.cacheSize().files == 10)
    }

    @Test(
        "The identifier is that of the documents' example",
        .checks("sjnetwork.cache.identifier-format")
    )
    func identifier() {
        let identifier = RequestIdentifier(
            base: "http://v.juhe.cn/",
            path: "toutiao/index",
            method: "GET",
            parameters: ["type": "top", "key": "0c60"]
        )
        #expect(
            identifier.description.hasPrefix(
                "b4b36793efabad54a14389cf09bc8133_a6a72ddee1dd86825cb5707c500784f5_7b65261ff298c6a386c89a632bd17b39_"
            )
        )
        // md5 of `Parameters:{\n  "key" : "0c60",\n  "type" : "top"\n}`
        #expect(identifier.parameters == "d42fd88cf63a1c22520547ab3c4250d3")
        #expect(identifier.description.split(separator: "_").count == 4)
        #expect(RequestIdentifier(identifier.description) == identifier)
        let post = RequestIdentifier(base: "", path: "", method: "POST", parameters: [:])
        #expect(post.method == "f882aed12c0b16ebdaecb1e9619f608d")
    }

    @Test(
        "A different token, credential or default parameter does not match the earlier entry",
        .checks("sjnetwork.cache.defaults-and-headers-not-in-key")
    )
    func askers() async throws {
        let fixture = try FetchFixture(json("1"), json("2"), json("3"), json("4"), json("5"))
        let session = fixture.session(.sjNetwork, hasCache: true)
        let token = try #require(HTTPField.Name("token"))
        let request = FetchRequest.get("a").cached(for: .seconds(180))
        session.setDefaultField(token, "A")
        #expect(try await session.send(request).json == 1)
        session.setDefaultField(token, "B")
        #expect(try await session.send(request).json == 2)
        session.setDefaultField(token, "A")
        #expect(try await session.send(request).json == 1)
        session.configure { $0.credential = .bearer("x") }
        #expect(try await session.send(request).json == 3)
        session.configure { $0.defaultParameters = ["user": "me"] }
        #expect(try await session.send(request).json == 4)
        var own = request
        own.fields[.authorization] = "Bearer y"
        #expect(try await session.send(own).json == 5)
        #expect(fixture.hits == 5)
    }

    @Test("A session's cookies are part of its entries' keys")
    func cookiesIdentify() async throws {
        let fixture = try FetchFixture(json("1"), json("2"))
        let cookies = CookieStorage(clock: fixture.clock)
        let session = fixture.session(.sjNetwork, cookies: cookies, hasCache: true)
        let request = FetchRequest.get("a").cached(for: .seconds(180))
        cookies.store([.setCookie: "user=A; Path=/"], from: fixture.base)
        #expect(try await session.send(request).json == 1)
        cookies.store([.setCookie: "user=B; Path=/"], from: fixture.base)
        #expect(try await session.send(request).json == 2)
    }

    @Test("A failure is not stored", .checks("sjnetwork.cache.only-success-is-stored"))
    func failure() async throws {
        let fixture = try FetchFixture(json("{}") { $0.status = 500 })
        let session = fixture.session(.sjNetwork, hasCache: true)
        #expect(await session.failure(.post("a").cached(for: .seconds(180)))?.status == 500)
        #expect(try await session.cacheSize().files == 0)
    }

    @Test("An entry whose files do not match is not used, and is removed")
    func damaged() async throws {
        let fixture = try FetchFixture(json("1"), json("2"), json("3"))
        let session = fixture.session(.sjNetwork, hasCache: true)
        let request = FetchRequest.get("a").cached(for: .seconds(180))
        let name = try await session.send(request).request.identifier.description
        try fixture.folder.write("cache/\(name).cacheData", "[")
        #expect(try await session.send(request).json == 2)
        try fixture.folder.write("cache/\(name).cacheInfo", "{\"identifier\":")
        #expect(try await session.send(request).json == 3)
        #expect(try await session.send(request).json == 3)
    }

    @Test("If the folder is not writable, the response is delivered, and nothing is stored")
    func unwritable() async throws {
        let fixture = try FetchFixture(json("1"))
        try fixture.folder.write("cache", "a file where the folder should be")
        let record = EventRecord()
        let session = fixture.session(.sjNetwork, hasCache: true) { $0.monitors = [record] }
        let response = try await session.send(.get("a").cached(for: .seconds(180)))
        #expect(response.json == 1)
        #expect(
            record.names == ["created", "cache-miss", "started", "succeeded", "cache-failed", "completed"]
        )
        let written = record.events.compactMap { event in
            if case .cacheWritten(_, .failure(let error), _) = event { error.reason } else { nil }
        }
        #expect(written.first?.contains("cannot be written") == true)
    }

    @Test(
        "A name that would leave the folder is rejected",
        arguments: ["", ".", "..", "../x", "a/b", "/etc/passwd", "a\0b", String(repeating: "x", count: 241)]
    )
    func names(name: String) throws {
        let scratch = try TestFolder()
        let folder = FileFolder(scratch.path)
        #expect(throws: FetchError.self) { try folder.write([1], to: name) }
        #expect(throws: FetchError.self) { try folder.read(name) }
        #expect(throws: FetchError.self) { try folder.remove(name) }
        #expect(scratch.names == [])
    }

    @Test("A file that cannot be renamed leaves nothing behind, and the previous entry remains")
    func noDraftIsLeft() throws {
        let scratch = try TestFolder()
        try scratch.write("name/inside", "a folder where the file should be")
        let folder = FileFolder(scratch.path)
        #expect(throws: FetchError.self) { try folder.write([1, 2, 3], to: "name") }
        #expect(scratch.names == ["name"])
        try folder.write([1], to: "other")
        try folder.write([2], to: "other")
        #expect(try folder.read("other") == [2])
        #expect(scratch.names == ["name", "other"])
        #expect(try folder.names() == ["other"])
        #expect(try folder.remove("other"))
        #expect(try folder.remove("other") == false)
        #expect(try folder.read("other") == nil)
    }

    @Test("Other files in the cache's folder are not changed")
    func foreignFiles() async throws {
        let fixture = try FetchFixture(json("1"))
        try fixture.folder.write("cache/notes.txt", "mine")
        try fixture.folder.write("cache/short_name.cacheInfo", "{}")
        let session = fixture.session(.sjNetwork, hasCache: true)
        _ = try await session.send(.get("a").cached(for: .seconds(60)))
        #expect(try await session.clearCache())
        #expect(try session.cache?.folder.names() == ["notes.txt", "short_name.cacheInfo"])
    }
}
