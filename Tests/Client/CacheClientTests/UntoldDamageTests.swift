import CacheClient
import CacheStorage
import CLibrary
import Clocks
import HTTPTypes
import Locks
import Testing
import TestSupport

@Suite(
    "Damage that the client finds on its own is reported with the next response",
    .timeLimit(.minutes(20))
)
struct UntoldDamageTests {
    private static let url = "http://example.test/"
    private let clock = VirtualClock(wallSeconds: startOfTime)

    /// Returns a client with two responses on disk, of which the content of the larger is damaged.
    private func client(
        in folder: TestFolder,
        _ change: (inout CachingClient.Configuration) -> Void = { _ in }
    ) throws -> CachingClient {
        var settings = CacheStore.Configuration(
            memoryCapacity: .zero,
            diskCapacity: .mebibytes(8),
            directory: folder.path
        )
        settings.largestShare = 1
        let store = try CacheStore(settings, clock: clock)
        let transport = CurlTransport(loop: try ClientLoop())
        var configuration = CachingClient.Configuration()
        change(&configuration)
        let client = CachingClient(configuration, store: store, transport: transport, clock: clock)
        var fields = HTTPFields()
        fields[.cacheControl] = "max-age=600"
        for (name, size) in [("large", 200_000), ("small", 10)] {
            let response = HTTPResponse(status: .ok, headerFields: fields)
            let request = ClientRequest(url: Self.url + name)
            #expect(client.store(response, body: [UInt8](repeating: 1, count: size), for: request))
        }
        store.flush()
        let body = try #require(folder.names(in: "bodies").first)
        try folder.write("bodies/\(body)", [2])
        return client
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let look: @Sendable (CachingClient, ClientRequest) -> Void
    }

    @Test(
        "A lookup that is not reported leaves its findings to one that is",
        arguments: [
            Case(testDescription: "looking for a hit in memory") { _ = $0.hit(for: $1) }
        ]
    )
    func looks(row: Case) async throws {
        let folder = try TestFolder()
        let client = try client(in: folder)
        row.look(client, ClientRequest(url: Self.url + "large"))
        let told = try await client.fetch(ClientRequest(url: Self.url + "small"))
        #expect(told.source == .disk)
        #expect(told.cacheStatus.detail == "the store: its content is damaged", "the URL is another caller's")
        let after = try await client.fetch(ClientRequest(url: Self.url + "small"))
        #expect(after.cacheStatus.detail == nil)
    }

    @Test("The operator learns once which entry is damaged, whoever's request finds it")
    func operators() async throws {
        let folder = try TestFolder()
        let seen = Lock([StorageDamage]())
        let client = try client(in: folder) {
            $0.onStorageDamage = { damage in seen.withLock { $0.append(damage) } }
        }
        #expect(client.hit(for: ClientRequest(url: Self.url + "large")) == nil)
        for _ in 1...2 { _ = try await client.fetch(ClientRequest(url: Self.url + "small")) }
        #expect(seen.withLock { $0.map(\.subject) } == [Self.url + "large"])
    }

    @Test(
        "The operator learns of a large response that could not be written, read piece by piece or as a whole"
    )
    func unwritten() async throws {
        let folder = try TestFolder()
        let seen = Lock([StorageDamage]())
        let client = try client(in: folder) {
            $0.onStorageDamage = { damage in seen.withLock { $0.append(damage) } }
        }
        let origin = ScriptedServer { _, _ in
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 300000\r\n\r\n"
                + String(repeating: "a", count: 300_000)
        }
        defer { origin.stop() }
        for name in folder.names(in: "bodies") { #expect(unlink(folder.path + "/bodies/" + name) == 0) }
        #expect(rmdir(folder.path + "/bodies") == 0)
        let requests = ["/a", "/b"].map { ClientRequest(url: origin.url + $0) }
        let response = try await client.stream(requests[0])
        for try await _ in response.body {}
        _ = try await client.fetch(requests[1])
        let told = seen.withLock { $0 }.filter { $0.reason.hasPrefix("could not be stored: ") }
        #expect(told.map(\.subject) == requests.map(\.url))
    }
}
