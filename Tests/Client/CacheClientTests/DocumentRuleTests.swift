import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import HTTPServing
import HTTPTypes
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

/// A mock origin with one answer, and clients of it on one clock.
private struct DocumentFixture {
    let clock = VirtualClock(wallSeconds: startOfTime)
    let server: MockServer
    let namespace: OriginNamespace
    let loop: ClientLoop

    init(_ routes: [Route]) throws {
        server = MockServer(clock: clock)
        try server.start()
        namespace = server.open(token: "t", routes: routes, clock: clock, startedAt: startOfTime)
        loop = try ClientLoop()
    }

    init(maxAge: Int = 3600, body: String = "one") throws {
        var answer = Answer()
        answer.fields = [FieldLine("Cache-Control", .text("max-age=\(maxAge)"))]
        answer.body = .text(body)
        try self.init([Route(label: "1", answers: [answer])])
    }

    func url(_ path: String) -> String { "\(server.url)/-/t\(path)" }

    func client(
        _ store: CacheStore?,
        _ change: (inout CachingClient.Configuration) -> Void = { _ in }
    ) -> CachingClient {
        var configuration = CachingClient.Configuration()
        change(&configuration)
        return CachingClient(configuration, store: store, transport: CurlTransport(loop: loop), clock: clock)
    }

    func memoryStore() throws -> CacheStore { try CacheStore(CacheStore.Configuration(), clock: clock) }

    var requests: Int { namespace.record().count }
}

@Suite("The documents' URL cache, as intended", .timeLimit(.minutes(20)), .blocking)
struct DocumentRuleTests {
    @Test(
        "The default configuration has 4 MiB in memory and 20 MiB on disk",
        .checks("urlcache.capacity-4-20")
    )
    func defaultCapacities() throws {
        let folder = try TestFolder()
        let configuration = CacheStore.Configuration(directory: folder.path)
        let store = try CacheStore(configuration, clock: VirtualClock(wallSeconds: 0))
        defer { store.close() }
        #expect(store.memoryCapacity.bytes == 4_194_304)
        #expect(store.diskCapacity.bytes == 20_971_520)
    }

    @Test(
        "Clients share the store they were given, and a client with another store does not see its entries",
        .checks("urlcache.shared-instance")
    )
    func sharedInstance() async throws {
        let fixture = try DocumentFixture()
        defer { fixture.server.stop() }
        let shared = try fixture.memoryStore()
        let request = ClientRequest(url: fixture.url("/a"))
        #expect(try await fixture.client(shared).fetch(request).source == .origin)
        #expect(try await fixture.client(shared).fetch(request).source == .memory)
        #expect(fixture.requests == 1)
        let replaced = fixture.client(try fixture.memoryStore())
        #expect(try await replaced.fetch(request).source == .origin)
        #expect(try await replaced.fetch(request).source == .memory)
        #expect(fixture.requests == 2)
    }

    @Test(
        "Caching requires only a store and a client that uses it",
        .checks("urlcache.two-lines-suffice")
    )
    func twoLines() async throws {
        let fixture = try DocumentFixture()
        defer { fixture.server.stop() }
        let store = try CacheStore(CacheStore.Configuration(), clock: fixture.clock)
        let client = CachingClient(
            store: store,
            transport: CurlTransport(loop: fixture.loop),
            clock: fixture.clock
        )
        let request = ClientRequest(url: fixture.url("/a"))
        #expect(try await client.fetch(request).source == .origin)
        #expect(try await client.fetch(request).source == .memory)
        #expect(fixture.requests == 1)
    }

    @Test("Without a store nothing is cached", .checks("urlcache.two-lines-suffice"))
    func withoutStore() async throws {
        let fixture = try DocumentFixture()
        defer { fixture.server.stop() }
        let client = fixture.client(nil)
        let request = ClientRequest(url: fixture.url("/a"))
        #expect(try await client.fetch(request).source == .origin)
        #expect(try await client.fetch(request).source == .origin)
        #expect(fixture.requests == 2)
    }

    @Test(
        "reloadIgnoringCacheData is an alias of reloadIgnoringLocalCacheData",
        .checks("urlcache.policy.reload-ignoring-cache-alias")
    )
    func alias() async throws {
        #expect(RequestCachePolicy.reloadIgnoringCacheData == .reloadIgnoringLocalCacheData)
        #expect(RequestCachePolicy.allCases.count == 6)
        let fixture = try DocumentFixture()
        defer { fixture.server.stop() }
        let client = fixture.client(try fixture.memoryStore())
        let request = ClientRequest(url: fixture.url("/a"), policy: .reloadIgnoringCacheData)
        #expect(try await client.fetch(request).source == .origin)
        #expect(try await client.fetch(request).source == .origin)
        #expect(fixture.requests == 2)
    }

    @Test(
        "The policies have Apple's names, which contain no HTTP terms",
        .checks("http.protocol-neutral-policies"),
        arguments: [
            "useProtocolCachePolicy", "reloadIgnoringLocalCacheData", "reloadIgnoringLocalAndRemoteCacheData",
            "returnCacheDataElseLoad", "returnCacheDataDontLoad", "reloadRevalidatingCacheData",
        ]
    )
    func neutralPolicy(name: String) throws {
        let policy = try #require(RequestCachePolicy(rawValue: name))
        for word in ["http", "etag", "max-age", "304", "header"] {
            #expect(!name.lowercased().contains(word))
        }
        #expect(String(describing: policy) == name)
    }

    @Test(
        "Changing a copy of the proposed entry does not change the proposed entry",
        .checks("willcache.immutable")
    )
    func immutableEntry() async throws {
        let fixture = try DocumentFixture(body: "one")
        defer { fixture.server.stop() }
        let proposed = Lock<CacheEntry?>(nil)
        let client = fixture.client(try fixture.memoryStore()) { configuration in
            configuration.willCache = { entry in
                proposed.withLock { $0 = entry }
                var copy = entry
                copy.body = .bytes(Array("two".utf8))
                copy.userInfo["k"] = .integer(1)
                copy.storagePolicy = .allowedInMemoryOnly
                return copy
            }
        }
        let request = ClientRequest(url: fixture.url("/a"))
        #expect(try await client.fetch(request).text == "one")
        let entry = try #require(proposed.withLock { $0 })
        #expect(try entry.body.readAll() == Array("one".utf8))
        #expect(entry.userInfo.isEmpty)
        #expect(entry.storagePolicy == .allowed)
        let stored = try #require(client.cachedResponse(for: request))
        #expect(try stored.body.readAll() == Array("two".utf8))
        #expect(stored.userInfo == ["k": .integer(1)])
        #expect(stored.storagePolicy == .allowedInMemoryOnly)
    }

    @Test(
        "The proposed entry is the delivered response with its whole content, once per load from the origin",
        .checks("willcache.proposed-entry", "willcache.not-on-hit")
    )
    func proposedEntry() async throws {
        let fixture = try DocumentFixture(body: "one")
        defer { fixture.server.stop() }
        let proposed = Lock<[CacheEntry]>([])
        let client = fixture.client(try fixture.memoryStore()) { configuration in
            configuration.willCache = { entry in
                proposed.withLock { $0.append(entry) }
                return entry
            }
        }
        let request = ClientRequest(url: fixture.url("/a"))
        let response = try await client.fetch(request)
        _ = try await client.fetch(request)
        let entries = proposed.withLock { $0 }
        #expect(entries.count == 1)
        #expect(try entries.first?.body.readAll() == response.body)
        #expect(entries.first?.stored.response.status == response.response.status)
        #expect(entries.first?.stored.response.headerFields[.cacheControl] == "max-age=3600")
    }

    @Test(
        "An entry that was stored without an expiry is not valid in a cache with one",
        .checks("customurlcache.missing-stamp")
    )
    func missingStamp() async throws {
        let fixture = try DocumentFixture()
        defer { fixture.server.stop() }
        let store = try fixture.memoryStore()
        let (plain, expiring) = (
            fixture.client(store), fixture.client(store) { $0.expirationInterval = .seconds(600) }
        )
        let request = ClientRequest(url: fixture.url("/a"))
        _ = try await plain.fetch(request)
        #expect(plain.cachedResponse(for: request)?.userInfo.isEmpty == true)
        #expect(expiring.cachedResponse(for: request) == nil)
        #expect(plain.cachedResponse(for: request) == nil)
        #expect(store.entryCount == 0)
    }

    @Test(
        "A cache with expiry stamps its entries, and one without does not",
        .checks("customurlcache.stamp-on-store", "customurlcache.install")
    )
    func stamp() async throws {
        let fixture = try DocumentFixture()
        defer { fixture.server.stop() }
        let expiring = fixture.client(try fixture.memoryStore()) { $0.expirationInterval = .seconds(600) }
        let plain = fixture.client(try fixture.memoryStore())
        let request = ClientRequest(url: fixture.url("/a"))
        fixture.clock.advance(by: .seconds(100))
        _ = try await expiring.fetch(request)
        _ = try await plain.fetch(request)
        let stamp: [String: UserInfoValue] = ["CustomURLCacheExpiration": .number(1_767_225_700)]
        #expect(expiring.cachedResponse(for: request)?.userInfo == stamp)
        #expect(plain.cachedResponse(for: request)?.userInfo == [:])
    }

    @Test(
        "will-send is called for each transaction, with the redirect that led to it, and its request is loaded",
        .checks("urlcache.willsend-returns-request")
    )
    func willSend() async throws {
        var redirect = Answer()
        redirect.status = 302
        redirect.fields = [FieldLine("Location", .text("${base}/b"))]
        var target = Answer()
        target.body = .text("target")
        let fixture = try DocumentFixture([
            Route(label: "a", path: .exact("/a"), answers: [redirect]),
            Route(label: "b", path: .exact("/b"), answers: [target]),
        ])
        defer { fixture.server.stop() }
        let hops = Lock<[Int?]>([])
        let client = fixture.client(nil) { configuration in
            configuration.willSend = { request, redirect in
                hops.withLock { $0.append(redirect?.status.code) }
                var request = request
                if redirect != nil { request.headerFields[.accept] = "text/plain" }
                return request
            }
        }
        let response = try await client.fetch(ClientRequest(url: fixture.url("/a")))
        #expect(response.text == "target")
        #expect(hops.withLock { $0 } == [nil, 302])
        let record = fixture.namespace.record()
        #expect(record.map(\.path) == ["/a", "/b"])
        let accepted = record.map { $0.fields.contains { $0.name == "Accept" && $0.value == "text/plain" } }
        #expect(accepted == [false, true])
    }

    @Test(
        "URLs with other scripts and of 8 KiB are distinguished and found again on disk",
        .checks("urlcache.two-tier", "urlcache.key-includes-query")
    )
    func unusualURLs() throws {
        let folder = try TestFolder()
        let clock = VirtualClock(wallSeconds: startOfTime)
        let long = "http://example.com/" + String(repeating: "a", count: 8192)
        let urls = [
            long, long + "b", "http://example.com/%E2%82%AC?%3E%3E%3E",
            "http://example.com/%E2%82%AC?%3F%3F%3F",
            "https://example.com/%E2%82%AC?%3E%3E%3E",
        ]
        let configuration = CacheStore.Configuration(directory: folder.path)
        let loop = try ClientLoop()
        func client(_ store: CacheStore) -> CachingClient {
            CachingClient(store: store, transport: CurlTransport(loop: loop), clock: clock)
        }
        let first = try CacheStore(configuration, clock: clock)
        for (number, url) in urls.enumerated() {
            let response = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"])
            let request = ClientRequest(url: url)
            #expect(client(first).store(response, body: Array("\(number)".utf8), for: request))
        }
        first.close()
        let second = try CacheStore(configuration, clock: clock)
        defer { second.close() }
        for (number, url) in urls.enumerated() {
            let entry = try #require(client(second).cachedResponse(for: ClientRequest(url: url)))
            #expect(try entry.body.readAll() == Array("\(number)".utf8))
        }
    }
}
