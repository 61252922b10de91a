import CacheStorage
import CLibrary
import MockOrigin
import TestSupport
import Testing

@testable import CacheClient

@Suite("A client in one line", .blocking)
struct FirstUseTests {
    private static func stored(_ client: CachingClient, _ text: String) -> ClientRequest {
        let request = ClientRequest(url: "http://example.org/kept")
        let response = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"])
        #expect(client.store(response, body: Array(text.utf8), for: request))
        return request
    }

    @Test("A cache on disk outlives its client, and one in memory does not", arguments: [true, false])
    func lifetime(isOnDisk: Bool) throws {
        let folder = try TestFolder()
        let cache: CachingClient.Cache =
            isOnDisk ? .disk(at: folder.path, capacity: .mebibytes(1)) : .memory()
        do {
            let client = try CachingClient(cache: cache)
            _ = Self.stored(client, "kept")
            client.store?.close()
        }
        let request = ClientRequest(url: "http://example.org/kept")
        let found = try CachingClient(cache: cache).cachedResponse(for: request)
        #expect((found != nil) == isOnDisk)
    }

    @Test("Without sizes, a cache on disk has 200 MiB and 4 MiB of memory, and one in memory 20 MiB")
    func sizes() throws {
        let folder = try TestFolder()
        let onDisk = try #require(try CachingClient(cache: .disk(at: folder.path)).store as? CacheStore)
        #expect(onDisk.diskCapacity == .mebibytes(200) && onDisk.memoryCapacity == .mebibytes(4))
        let inMemory = try #require(try CachingClient(cache: .memory()).store as? CacheStore)
        #expect(inMemory.diskCapacity == .zero && inMemory.memoryCapacity == .mebibytes(20))
    }

    @Test("Without a cache every request goes to the origin, and nothing is stored")
    func withoutCache() async throws {
        let server = try MockServer.started(routes: [.get("/a", .plainText("a").maxAge(.seconds(60)))])
        let client = try CachingClient(cache: .none)
        for _ in 1...2 {
            let response = try await client.get(server.url("/a"))
            #expect(response.source == .origin && response.cacheStatus.isStored != true)
        }
        #expect(client.store == nil)
        await server.shutDown()
    }

    @Test(
        "A code prints its name and number",
        arguments: [
            (.timedOut, "timedOut (-1001)"), (.tooManyRedirects, "tooManyRedirects (-1007)"),
            (.resourceUnavailable, "resourceUnavailable (-1008)"), (-7, "-7"),
        ] as [(ClientError.Code, String)]
    )
    func code(_ code: ClientError.Code, text: String) {
        #expect("\(code)" == text)
        let error = ClientError(code: code, url: "http://a/", reason: "It failed.")
        #expect(error.description == "http://a/: It failed. (\(code.rawValue))")
    }

    @Test("The age of what is stored follows the given clock")
    func clock() async throws {
        let clock = VirtualClock(wallSeconds: 1_767_225_600)
        let client = try CachingClient(cache: .memory(capacity: .mebibytes(1)), clock: clock)
        _ = Self.stored(client, "kept")
        clock.advance(by: .seconds(30))
        let response = try await client.get("http://example.org/kept")
        #expect(response.status == 200)
        #expect(response.source == .memory)
        #expect(response.age == .seconds(30))
        #expect(response.text == "kept")
        #expect(response.headerFields[.cacheControl] == "max-age=60")
        #expect(!response.findings.isEmpty)
    }

    @Test(
        "The cache is of the kind that was asked for, also for its folder",
        arguments: [CacheKind.private, .shared]
    )
    func kinds(kind: CacheKind) throws {
        let folder = try TestFolder()
        let cache = CachingClient.Cache.disk(at: folder.path)
        let client = try CachingClient(.init(kind: kind), cache: cache)
        #expect(client.configuration.engine.kind == kind)
        _ = Self.stored(client, "kept")
        client.store?.close()
        let other = CachingClient.Configuration(kind: kind == .private ? .shared : .private)
        #expect(throws: StorageError.self) { try CachingClient(other, cache: cache) }
    }

    @Test("A client with a cache of its own has every setting of its configuration")
    func configured() async throws {
        let server = ScriptedServer { _, _ in answer("302 Found", "Location: /b", body: "") }
        defer { server.stop() }
        var configuration = CachingClient.Configuration()
        configuration.followsRedirects = false
        configuration.defaultPolicy = .returnCacheDataDontLoad
        let client = try CachingClient(configuration, cache: .memory())
        await #expect(throws: ClientError.self) { try await client.get(server.url + "/a") }
        let request = ClientRequest(url: server.url + "/a", policy: .useProtocolCachePolicy)
        #expect(try await client.fetch(request).status == 302)
    }

    @Test("A client's observer sees each load that has none of its own, whole or streamed")
    func observer() async throws {
        let server = ScriptedServer { _, _ in answer("200 OK", "Cache-Control: max-age=60", body: "one") }
        defer { server.stop() }
        let (log, own) = (EventLog(), EventLog())
        let client = try CachingClient(.init(observer: log), cache: .memory())
        let request = ClientRequest(url: server.url + "/a")
        _ = try await client.get(request.url)
        _ = try await client.fetch(request, observer: own)
        let streamed = try await client.stream(request)
        #expect(streamed.status == 200 && streamed.headerFields[.cacheControl] == "max-age=60")
        for try await _ in streamed.body {}
        #expect(own.shape == ["will-send", "response", "data", "finish"])
        #expect(
            log.shape
                == ["will-send", "response", "data", "will-cache", "finish"]
                + ["will-send", "response", "data", "finish"]
        )
        await #expect(throws: ClientError.self) { try await client.get("http://127.0.0.1:1/") }
        #expect(log.names.last == "fail")
    }

    @Test("What a client has stored is on disk once it has been flushed")
    func flushed() throws {
        let folder = try TestFolder()
        let client = try CachingClient(cache: .disk(at: folder.path, capacity: .mebibytes(1)))
        let request = Self.stored(client, "kept")
        client.flush()
        let other = try CachingClient(cache: .disk(at: folder.path, capacity: .mebibytes(1)))
        #expect(other.cachedResponse(for: request) != nil)
        withExtendedLifetime(client) {}
    }

    @Test("What a client has stored is on disk once it has been shut down, and the client still answers")
    func shutDown() async throws {
        let folder = try TestFolder()
        let client = try CachingClient(cache: .disk(at: folder.path, capacity: .mebibytes(1)))
        let request = Self.stored(client, "kept")
        await client.shutDown()
        let other = try CachingClient(cache: .disk(at: folder.path, capacity: .mebibytes(1)))
        #expect(other.cachedResponse(for: request) != nil)
        #expect(client.cachedResponse(for: request) != nil)
    }

    @Test("A response is described by its status, its source and its size")
    func described() {
        let response = ClientResponse(url: "http://example.org/", body: [1, 2], source: .memory)
        #expect("\(response)" == "200 from memory, 2 bytes")
    }

    @Test(
        "A folder that cannot be created, or whose path is empty, is an error",
        arguments: ["/dev/null/cache", ""]
    )
    func noFolder(path: String) {
        #expect(throws: StorageError.self) { try CachingClient(cache: .disk(at: path)) }
    }

    @Test("An empty path is an error before anything is created")
    func emptyPath() {
        let error = #expect(throws: StorageError.self) { try CachingClient(cache: .disk(at: "")) }
        #expect(error?.description == "Cannot open the cache's folder: its path is empty.")
        #expect(access("bodies", F_OK) != 0)
    }

    @Test(
        "A response that is larger than the cache's share of one is not stored, and its status says why",
        arguments: [(20_000, 400), (200_000, 4000)]
    )
    func tooLarge(size: Int, share: Int) async throws {
        let content = String(repeating: "x", count: size)
        let server = ScriptedServer { _, _ in answer("200 OK", "Cache-Control: max-age=60", body: content) }
        defer { server.stop() }
        let client = try CachingClient(cache: .memory(capacity: .bytes(20 * share)))
        let detail = "not stored: \(size) bytes, and the cache stores responses of up to \(share) bytes"
        let whole = try await client.get(server.url + "/a")
        #expect(whole.cacheStatus.isStored == false)
        #expect(whole.cacheStatus.detail == detail)
        #expect(try await client.get(server.url + "/a").source == .origin)
        let streamed = try await client.stream(ClientRequest(url: server.url + "/a"))
        #expect(streamed.cacheStatus.isStored == false)
        #expect(streamed.cacheStatus.detail == detail)
        let stored = try await CachingClient(cache: .memory()).get(server.url + "/a")
        #expect(stored.cacheStatus.isStored == true)
        #expect(stored.cacheStatus.detail == nil)
    }

    @Test("A cache in memory or on disk stores one response up to the given share", arguments: [true, false])
    func largestShare(isOnDisk: Bool) async throws {
        let folder = try TestFolder()
        let content = String(repeating: "x", count: 50_000)
        let server = ScriptedServer { _, _ in answer("200 OK", "Cache-Control: max-age=60", body: content) }
        defer { server.stop() }
        var stored: [Bool?] = []
        for share in [0.25, 0.75] {
            let cache: CachingClient.Cache =
                isOnDisk
                ? .disk(at: folder.path, capacity: .bytes(100_000), largestShare: share)
                : .memory(capacity: .bytes(100_000), largestShare: share)
            let response = try await CachingClient(cache: cache).get(server.url + "/a")
            stored.append(response.cacheStatus.isStored)
        }
        #expect(stored == [false, true])
    }

    /// A store around another whose folder cannot be written.
    private final class FullStore: ResponseStoreDecorator {
        let base: any ResponseStore
        let writeFailure: StorageError? = StorageError(operation: "write", path: "/a", reason: "full")
        init(_ base: any ResponseStore) { self.base = base }
    }
    private final class Around: ResponseStoreDecorator {
        let base: any ResponseStore
        init(_ base: any ResponseStore) { self.base = base }
    }

    @Test("A client has the reason why its store cannot write, and none if it can")
    func storageFailure() throws {
        let test = try TestClient()
        #expect(test.client.storageFailure == nil)
        let store = Around(FullStore(test.store))
        let client = CachingClient(store: store, transport: test.transport, clock: test.clock)
        #expect(client.storageFailure?.reason == "full")
    }

    @Test("A client trusts the authority of a server's test certificate, and without it nothing")
    func trust() async throws {
        let server = try MockServer.started(routes: [.get("/a", .plainText("one"))], tls: .good)
        defer { server.stop() }
        let url = try #require(server.tlsURL) + "/a"
        let trust = TrustPolicy(authorityPEM: try #require(server.authorityPEM))
        #expect(try await CachingClient(cache: .memory(), trust: trust).get(url).text == "one")
        let other = try CachingClient(cache: .memory())
        await #expect(throws: ClientError.self) { try await other.get(url) }
    }

    @Test("The reason of a timeout has its time as it was given", arguments: [(300, "0.3"), (2000, "2")])
    func timeout(milliseconds: Int, text: String) async throws {
        let test = try TestClient()
        let server = SilentServer()
        var request = ClientRequest(url: server.url)
        request.timeout = .milliseconds(milliseconds)
        async let failure = test.failure(request)
        await server.waitForRequest()
        test.clock.advance(by: .seconds(2))
        #expect(await failure?.description.contains("Nothing arrived for \(text) s.") == true)
    }

    @Test("The shared client is the one that was set, until another is set")
    func replacing() throws {
        for client in try [TestClient().client, TestClient().client] {
            CachingClient.shared = client
            #expect(CachingClient.shared === client)
        }
    }

    @Test(
        "The shared client uses the store and the expiry that the shared cache has now, and keeps its access to the network",
        .checks("urlcache.shared-instance")
    )
    func followsStore() throws {
        let shared = Self.sharedStore(nil)
        let held = SharedClient(over: shared)
        let first = held.client
        let request = Self.stored(first, "kept")
        #expect(held.client === first)
        first.networkAccess = .roamingOff
        shared.store = try CacheStore(CacheStore.Configuration(), clock: SystemClock())
        let second = held.client
        #expect(second.cachedResponse(for: request) == nil)
        #expect(second.networkAccess == .roamingOff)
        // A reference that was taken before continues with its store.
        #expect(first.cachedResponse(for: request) != nil)
        _ = Self.stored(second, "kept")
        #expect(held.client === second && second.cachedResponse(for: request) != nil)
        // What was stored without the time of storing counts as expired.
        shared.expirationInterval = .seconds(600)
        #expect(held.client.cachedResponse(for: request) == nil)
    }

    @Test("A client that was set as the shared one stays, whatever store is set")
    func keepsOwn() throws {
        let shared = Self.sharedStore(nil)
        let held = SharedClient(over: shared)
        let own = try TestClient().client
        held.client = own
        shared.store = try CacheStore(CacheStore.Configuration(), clock: SystemClock())
        #expect(held.client === own)
    }

    private static func sharedStore(_ caches: String?) -> SharedStore {
        SharedStore("http-cache", memory: .mebibytes(4), disk: .mebibytes(20), caches: caches)
    }

    @Test(
        "The shared caches have the documents' capacities",
        .checks("urlcache.capacity-4-20", "urlcache.capacity-2-100"),
        arguments: [
            (SharedStore.urlCache, 4_194_304, 20_971_520), (.customURLCache, 2_097_152, 104_857_600),
            (.imageDownloads, 20_971_520, 157_286_400),
        ]
    )
    func sharedCapacities(shared: SharedStore, memory: Int, disk: Int) throws {
        // Other tests replace the store that the program shares.
        let store = try #require(shared.openUsual())
        defer { store.close() }
        #expect((store.memoryCapacity, store.diskCapacity) == (.bytes(memory), .bytes(disk)))
    }

    @Test(
        "A client that is created over a shared cache uses what another has stored, until the cache is replaced",
        .checks("urlcache.shared-instance", "customurlcache.singleton")
    )
    func sharedByClients() throws {
        let shared = Self.sharedStore(nil)
        let first = CachingClient.make(over: shared)
        let request = Self.stored(first, "kept")
        #expect(CachingClient.make(over: shared).cachedResponse(for: request) != nil)
        shared.store = try CacheStore(CacheStore.Configuration(), clock: SystemClock())
        #expect(CachingClient.make(over: shared).cachedResponse(for: request) == nil)
        #expect(first.cachedResponse(for: request) != nil)
    }

    @Test(
        "The next shared client on the same folder finds what the first has stored",
        .checks("urlcache.default-is-memory-only")
    )
    func survivesRestart() throws {
        let folder = try TestFolder()
        do {
            let client = CachingClient.make(over: Self.sharedStore(folder.path))
            _ = Self.stored(client, "kept")
            client.store?.close()
        }
        let request = ClientRequest(url: "http://example.org/kept")
        let found = CachingClient.make(over: Self.sharedStore(folder.path)).cachedResponse(for: request)
        #expect(try found?.body.readAll() == Array("kept".utf8))
    }

    @Test("Without a usable folder the shared client caches in memory", arguments: [nil, "/dev/null"])
    func memoryFallback(caches: String?) {
        let client = CachingClient.make(over: Self.sharedStore(caches))
        let request = Self.stored(client, "kept")
        #expect(client.cachedResponse(for: request) != nil)
    }

    @Test("A response for a test has the given parts")
    func fake() {
        let response = ClientResponse(
            url: "https://a.example/users",
            status: 404,
            fields: [.contentType: "text/plain"],
            body: Array("none".utf8),
            source: .memory
        )
        #expect(response.status == 404)
        #expect(response.text == "none")
        #expect(response.headerFields[.contentType] == "text/plain")
        #expect(response.cacheStatus.isHit)
        #expect(response.request.path == "/users")
        #expect(response.metrics.map(\.status) == [404])
    }

    @Test(
        "Only a cancelled load is a cancellation",
        arguments: [(ClientError.Code.cancelled, true), (.timedOut, false), (-999, true)]
    )
    func cancellation(code: ClientError.Code, isCancellation: Bool) {
        #expect(ClientError(code: code, url: "http://a/", reason: "-").isCancellation == isCancellation)
    }

    @Test("A cancelled task's load ends with the code of a cancellation")
    func cancelledLoad() async throws {
        let client = try TestClient().client
        let task = Task {
            await #expect(throws: ClientError.self) { try await client.get("http://127.0.0.1:9/") }
        }
        task.cancel()
        #expect(await task.value?.isCancellation == true)
    }
}
