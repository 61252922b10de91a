import CacheClient
import CacheStorage
import Clocks
import HTTPTypes
import Locks
import TestSupport

/// 2026-01-01T00:00:00Z.
let startOfTime: Double = 1_767_225_600

/// A client on a virtual clock with a memory-only store and its own loop.
struct TestClient {
    let clock: VirtualClock
    let store: CacheStore
    let transport: CurlTransport
    let client: CachingClient

    init(
        connectionsPerHost: Int = 6,
        resends: Bool = true,
        memoryCapacity: Int = 4 << 20,
        clock: VirtualClock = VirtualClock(wallSeconds: startOfTime),
        trust: TrustPolicy = TrustPolicy(),
        loop: ClientLoop? = nil,
        _ change: (inout CachingClient.Configuration) -> Void = { _ in }
    ) throws {
        self.clock = clock
        var settings = CacheStore.Configuration()
        settings.memoryCapacity = .bytes(memoryCapacity)
        settings.largestShare = 1
        store = try CacheStore(settings, clock: clock)
        let ownLoop = try loop ?? ClientLoop(connectionsPerHost: connectionsPerHost)
        transport = CurlTransport(loop: ownLoop, trust: trust, resendsOnDeadConnection: resends)
        var configuration = CachingClient.Configuration()
        change(&configuration)
        client = CachingClient(configuration, store: store, transport: transport, clock: clock)
    }

    /// Returns the content of a response; `nil` for an error.
    func body(_ request: ClientRequest) async -> [UInt8]? {
        do throws(ClientError) {
            return try await client.fetch(request).body
        } catch {
            return nil
        }
    }

    /// Returns the error of a request that must fail.
    func failure(_ request: ClientRequest) async -> ClientError? {
        do throws(ClientError) {
            _ = try await client.fetch(request)
            return nil
        } catch {
            return error
        }
    }
}

/// A server that never answers, and reports when a request has arrived and when its connection has been closed.
struct SilentServer {
    private let server: ScriptedServer
    private let asked: AsyncStream<Void>
    private let closed: AsyncStream<Void>
    var url: String { server.url + "/" }

    init() {
        let (asked, askedDone) = AsyncStream<Void>.makeStream()
        let (closed, closedDone) = AsyncStream<Void>.makeStream()
        (self.asked, self.closed) = (asked, closed)
        server = ScriptedServer { connection in
            _ = connection.readHead()
            askedDone.finish()
            connection.waitForClose()
            closedDone.finish()
        }
    }

    func waitForRequest() async {
        for await _ in asked {}
    }

    func waitForClose() async {
        for await _ in closed {}
    }
}

/// Keeps the events of a load.
final class EventLog: LoadObserver {
    private let events = Lock([LoadEvent]())

    func observe(_ event: LoadEvent) { events.withLock { $0.append(event) } }

    var names: [String] { events.withLock { $0.map(\.name) } }

    /// The events' names, with repeated data events as one.
    var shape: [String] {
        names.reduce(into: []) { shape, name in
            if shape.last != "data" || name != "data" { shape.append(name) }
        }
    }

    var data: [[UInt8]] {
        events.withLock { $0.compactMap { if case .data(let bytes) = $0 { bytes } else { nil } } }
    }
}

extension ClientResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// Returns an answer with a length.
func answer(_ status: String = "200 OK", _ fields: String..., body: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n" + fields.map { $0 + "\r\n" }.joined()
        + "\r\n" + body
}
