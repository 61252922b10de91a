import CacheClient
import Locks
import Testing
import TestSupport

@Suite("The loads of an observer", .timeLimit(.minutes(20)))
struct LoadIDTests {
    @Test("An observer of all loads learns to which load each event belongs")
    func loads() async throws {
        let observer = Loads()
        let test = try TestClient { $0.observer = observer }
        let server = ScriptedServer { _, head in
            head.hasPrefix("GET /r ")
                ? answer("302 Found", "Location: /a")
                : answer("200 OK", "Cache-Control: max-age=60", body: "x")
        }
        defer { server.stop() }
        let (client, url) = (test.client, server.url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for path in ["/a", "/b", "/r"] { group.addTask { _ = try await client.get(url + path) } }
            try await group.waitForAll()
        }
        let events = observer.events.withLock { $0 }
        #expect(Set(events.keys.map(\.number)) == [1, 2, 3])
        #expect(events.values.allSatisfy { $0.first == "will-send" && $0.last == "finish" })
        #expect(events.values.map { $0.count { $0 == "finish" } } == [1, 1, 1])
        #expect(events.values.map { $0.count { $0 == "will-send" } }.sorted() == [1, 1, 2])
        let stream = try await client.stream(ClientRequest(url: url + "/a"))
        #expect(try await stream.collected(limit: .bytes(1)).text == "x")
        #expect(observer.events.withLock { $0.keys.map(\.number).max() } == 4)
    }

    /// Keeps the events' names of each load.
    private final class Loads: LoadObserver {
        let events = Lock([LoadID: [String]]())

        func observe(_ event: LoadEvent, of load: LoadID) {
            events.withLock { $0[load, default: []].append(event.name) }
        }
    }
}
