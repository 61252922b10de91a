import CacheClient
import CacheStorage
import Clocks
import Fetching
import HTTPServing
import HTTPTypes
import JSON
import Locks
import MockOrigin
import OriginScript
import TestSupport

/// 2026-01-01T00:00:00Z.
let startOfTime: Double = 1_767_225_600

/// A mock origin on loopback and the parameters of sessions with it, on one virtual clock.
final class FetchFixture: Sendable {
    let clock = VirtualClock(wallSeconds: startOfTime)
    let server: MockServer
    let origin: OriginNamespace
    let transport: CurlTransport
    let folder: TestFolder

    init(_ routes: [Route], connectionsPerHost: Int = 64, resends: Bool = true) throws {
        server = MockServer(clock: clock)
        try server.start()
        origin = server.open(token: "t", routes: routes, clock: clock, startedAt: startOfTime)
        let loop = try ClientLoop(connectionsPerHost: connectionsPerHost)
        transport = CurlTransport(loop: loop, resendsOnDeadConnection: resends)
        folder = try TestFolder()
        origin.onActivity { news.signal() }
        loop.onIdle { news.signal() }
    }

    convenience init(_ answers: Answer...) throws {
        try self.init([Route(label: "1", answers: answers)])
    }

    deinit { server.stop() }

    /// The URL of the namespace's root.
    var base: String { "\(server.url)\(origin.base)" }

    /// Returns a session whose base URL is the namespace, without an HTTP cache by default.
    func session(
        _ profile: FetchConfiguration = FetchConfiguration(),
        store: CacheStore? = nil,
        cookies: CookieStorage? = nil,
        reachability: (any ReachabilityProvider)? = nil,
        hasCache: Bool = false,
        _ change: (inout FetchConfiguration) -> Void = { _ in }
    ) -> FetchSession {
        var configuration = profile
        configuration.baseURL = base
        configuration.callbacks = .anywhere
        change(&configuration)
        return FetchSession(
            configuration,
            store: store,
            cache: hasCache ? cache() : nil,
            cookies: cookies,
            reachability: reachability,
            transport: transport,
            clock: clock
        )
    }

    /// Returns an application cache on the fixture's folder.
    func cache(_ path: String = "cache", measuring others: [String] = []) -> ApplicationCache {
        ApplicationCache(folder: folder.path + "/" + path, measuring: others, clock: clock)
    }

    func memoryStore() throws -> CacheStore { try CacheStore(CacheStore.Configuration(), clock: clock) }

    /// The number of requests received.
    var hits: Int { origin.record().count }

    /// The requests received, as `METHOD path?query`.
    var requestLines: [String] {
        origin.record().map { "\($0.method) \($0.path)" + ($0.query.map { "?" + $0 } ?? "") }
    }

    /// Waits until this number of exchanges is held at the origin.
    func waitForParked(_ count: Int) async {
        let origin = origin
        await news.wait { origin.parked.count >= count }
    }
}

/// Records events in order, and lets tests wait for them.
final class EventRecord: EventMonitor {
    private let kept = Lock([FetchEvent]())

    var events: [FetchEvent] { kept.withLock { $0 } }
    var names: [String] { events.map(\.name) }

    func observe(_ event: FetchEvent) {
        kept.withLock { $0.append(event) }
        news.signal()
    }

    /// Waits until there are this many events with a name.
    func wait(for name: String, count: Int = 1) async {
        await news.wait { events.count { $0.name == name } >= count }
    }
}

extension FetchEvent {
    var name: String {
        switch self {
        case .created: "created"
        case .cacheRead(_, .hit): "cache-hit"
        case .cacheRead(_, .miss): "cache-miss"
        case .started: "started"
        case .retrying: "retrying"
        case .succeeded: "succeeded"
        case .cacheWritten(_, .success, _): "cache-written"
        case .cacheWritten: "cache-failed"
        case .failed: "failed"
        case .completed: "completed"
        }
    }
}

/// A list of values that tests can wait for.
final class Collector<Element: Sendable>: Sendable {
    private let kept = Lock([Element]())

    var elements: [Element] { kept.withLock { $0 } }

    func add(_ element: Element) {
        kept.withLock { $0.append(element) }
        news.signal()
    }

    /// Waits until there are this many events, and returns all; fewer if the test is cancelled.
    func first(_ count: Int) async -> [Element] {
        await news.wait { elements.count >= count }
        return elements
    }
}

extension FetchSession {
    /// Returns the error of a request that must fail.
    func failure(_ request: FetchRequest) async -> FetchError? {
        do throws(FetchError) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }
}

/// Returns a response with JSON.
func json(_ text: String, _ change: (inout Answer) -> Void = { _ in }) -> Answer {
    content(text, "application/json", change)
}

/// Returns a response of a media type.
func content(_ text: String, _ type: String?, _ change: (inout Answer) -> Void = { _ in }) -> Answer {
    var answer = Answer()
    if let type { answer.fields = [FieldLine("Content-Type", .text(type))] }
    answer.body = .text(text)
    change(&answer)
    return answer
}

/// Returns a response that is held before its header.
func stalled(_ answer: Answer) -> Answer {
    var answer = answer
    answer.hold = .head
    return answer
}

extension FetchFixture {
    /// Releases all stalled responses, present and future, until this number of exchanges has ended.
    func releaseAll(until total: Int) async {
        let origin = origin
        while true {
            await news.wait { !origin.parked.isEmpty || origin.record().count(where: \.isEnded) >= total }
            if origin.record().count(where: \.isEnded) >= total { return }
            origin.release(label: nil)
        }
    }

    /// The bodies of the requests received.
    var requestBodies: [String] { origin.record().map { String(decoding: $0.body, as: UTF8.self) } }

    /// Returns the values of a field of the last request.
    func lastFields(_ name: String) -> [String] {
        (origin.record().last?.fields ?? []).filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}

extension Route {
    /// Returns routes that each respond on one path.
    static func each(_ routes: (path: String, answers: [Answer])...) -> [Route] {
        routes.map { Route(label: $0.path, path: .exact($0.path), answers: $0.answers) }
    }
}
