import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks
import TestSupport
import Testing

@Suite("Misses whose responses are stored later, RFC 9111 §3", .timeLimit(.minutes(20)))
struct LateSettlementTests {
    private func server(_ fields: String...) -> ScriptedServer {
        let fields = fields.joined(separator: "\r\n")
        return ScriptedServer { number, head in
            head.hasPrefix("POST") ? answer() : answer("200 OK", fields, body: "\(number)")
        }
    }

    @Test("The reported result of a miss is what the store has then")
    func told() async throws {
        let test = try TestClient()
        let server = server("Cache-Control: max-age=60")
        let response = try await test.client.fetch(ClientRequest(url: server.url + "/a"))
        #expect(response.source == .origin)
        #expect(response.cacheStatus.parameters["stored"] == "true")
        #expect(response.cacheStatus.parameters["ttl"] == "60")
        #expect(response.cacheStatus.parameters["fwd"] == "uri-miss")
        #expect(response.cacheStatus.parameters["fwd-status"] == "200")
        #expect(response.findings.contains { $0.rule == .forwardURIMiss })
        #expect(response.findings.contains { $0.rule == .storeExplicitOrHeuristic && $0.held })
        #expect(test.store.entryCount == 1)
    }

    @Test("The next identical request is a hit, with any client of the store")
    func hit() async throws {
        let test = try TestClient()
        let server = server("Cache-Control: max-age=60")
        let other = CachingClient(store: test.store, transport: test.transport, clock: test.clock)
        for path in ["/a", "/b"] {
            _ = try await test.client.fetch(ClientRequest(url: server.url + path))
            #expect(try await other.fetch(ClientRequest(url: server.url + path)).source == .memory)
        }
    }

    @Test("A store without references ends, whatever its last client has left to store")
    func ends() async throws {
        let server = server("Cache-Control: max-age=60")
        weak var store: CacheStore?
        do {
            let test = try TestClient()
            store = test.store
            _ = try await test.client.fetch(ClientRequest(url: server.url + "/a"))
        }
        #expect(store == nil)
    }

    @Test("A response that may not be stored is not stored, and this is reported")
    func notStored() async throws {
        let test = try TestClient()
        let server = server("Cache-Control: no-store")
        let response = try await test.client.fetch(ClientRequest(url: server.url + "/a"))
        #expect(test.store.entryCount == 0)
        #expect(response.cacheStatus.parameters["stored"] == "false")
        #expect(response.cacheStatus.ttl == nil)
        #expect(response.findings.contains { $0.rule == .responseNoStore && !$0.held })
    }

    @Test("A later unsafe request invalidates it")
    func invalidated() async throws {
        let test = try TestClient()
        let server = server("Cache-Control: max-age=60")
        let request = ClientRequest(url: server.url + "/a")
        _ = try await test.client.fetch(request)
        _ = try await test.client.fetch(ClientRequest(url: request.url, method: .post))
        let again = try await test.client.fetch(request)
        #expect(again.source == .origin)
        #expect(again.text == "3")
    }

    @Test("It has the age that it was received with, however late it is looked up")
    func age() async throws {
        let test = try TestClient()
        let server = server("Cache-Control: max-age=60", "Age: 20")
        let response = try await test.client.fetch(ClientRequest(url: server.url + "/a"))
        test.clock.advance(by: .seconds(30))
        let hit = try await test.client.fetch(ClientRequest(url: server.url + "/a"))
        #expect(hit.source == .memory)
        #expect(hit.age == .seconds(50))
        #expect(response.cacheStatus.ttl == .seconds(40))
    }

    @Test("Of many concurrent responses, each is stored", arguments: [6])
    func many(width: Int) async throws {
        let test = try TestClient(connectionsPerHost: width)
        let server = server("Cache-Control: max-age=60")
        let client = test.client
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<width {
                group.addTask {
                    for number in 0..<50 {
                        _ = try await client.fetch(ClientRequest(url: "\(server.url)/\(worker)/\(number)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(test.store.entryCount == width * 50)
    }

    @Test(
        "After a restart, what is stored on disk for one query answers another that No-Vary-Search makes equal"
    )
    func searchAfterRestart() async throws {
        let folder = try TestFolder()
        let server = server("Cache-Control: max-age=60", "No-Vary-Search: params=(\"utm\")")
        let clock = VirtualClock(wallSeconds: startOfTime)
        let transport = try CurlTransport()
        for (query, source) in [("q=1&utm=a", ResponseSource.origin), ("q=1&utm=b", .disk), ("q=2", .origin)]
        {
            let store = try CacheStore(.init(directory: folder.path), clock: clock)
            let client = CachingClient(store: store, transport: transport, clock: clock)
            let response = try await client.fetch(ClientRequest(url: "\(server.url)/?\(query)"))
            #expect(response.source == source)
            store.close()
        }
    }
}
