import CacheClient
import CacheGateway
import CacheSemantics
import CacheStorage
package import Clocks
import HTTPServing
import HTTPTypes
import Locks
import MockOrigin

/// An origin, a gateway with a shared cache, and two browsers with private caches, on one clock.
///
/// The three communicate by HTTP on loopback. Every action returns what each of them did and why.
package final class CachingLab: Sendable {
    let clock: MovableClock
    let timeline = LabTimeline()
    let origin: Lock<LabOrigin>
    let server: MockServer
    let caches: [LabCacheName: LabCache]
    let gateway: Gateway
    let browsers: [LabCacheName: CachingClient]
    let queue: ActionQueue

    /// Creates and starts a lab whose clock shows the time of another, and runs.
    package init(following clock: any TimeSource) throws(LabFailure) {
        let clock = MovableClock(following: clock)
        self.clock = clock
        origin = Lock(LabOrigin(modified: clock.now))
        server = MockServer(MockServer.Configuration(), clock: clock)
        do {
            try server.start()
            caches = try Self.caches(clock)
            gateway = try Self.gateway(before: server, caches, timeline, clock)
            let transport = try CurlTransport()
            queue = ActionQueue(on: transport.executor)
            browsers = Self.browsers(caches, transport, timeline, clock)
            try gateway.start()
        } catch {
            server.stop()
            throw LabFailure(description: "\(error)")
        }
        server.replace(routes: origin.withLock { $0.routes })
    }

    /// The URL of the resource at the gateway.
    package var url: String { "http://127.0.0.1:\(gateway.port ?? 0)\(LabOrigin.path)" }

    /// The URL of the resource at the origin.
    package var originURL: String { server.url + LabOrigin.path }

    /// Stops the servers.
    package func stop() {
        gateway.stop()
        server.stop()
    }

    // MARK: Parts

    private static func caches(_ clock: MovableClock) throws(StorageError) -> [LabCacheName: LabCache] {
        var caches: [LabCacheName: LabCache] = [:]
        for name in LabCacheName.allCases { caches[name] = try cache(name, clock) }
        return caches
    }

    private static func cache(_ name: LabCacheName, _ clock: MovableClock) throws(StorageError) -> LabCache {
        var engine = CacheEngine(kind: name == .gateway ? .shared : .private)
        if name == .gateway {
            engine.targets = [.cdnCacheControl]
            engine.servesSeveralUsers = true
        }
        return try LabCache(name, engine, clock: clock)
    }

    private static func gateway(
        before server: MockServer,
        _ caches: [LabCacheName: LabCache],
        _ timeline: LabTimeline,
        _ clock: MovableClock
    ) throws -> Gateway {
        guard let cache = caches[.gateway] else { throw LabFailure(description: "no cache for the gateway") }
        var configuration = Gateway.Configuration(mode: .reverse(origin: server.url))
        configuration.engine = cache.engine
        let transport = timeline.recording(try CurlTransport(), of: .gateway)
        let decisions = RecordingDecisions(cache: .gateway, engine: cache.engine, timeline: timeline)
        return Gateway(
            configuration,
            Gateway.Parts(
                store: cache.store,
                transport: transport,
                clock: clock,
                decisions: decisions,
                // A day on the lab's clock must not close idle connections.
                timeoutClock: SystemClock()
            )
        )
    }

    /// Returns the browsers' clients, which share a loop; the gateway has its own: connections are kept by host and port.
    private static func browsers(
        _ caches: [LabCacheName: LabCache],
        _ transport: CurlTransport,
        _ timeline: LabTimeline,
        _ clock: MovableClock
    ) -> [LabCacheName: CachingClient] {
        var browsers: [LabCacheName: CachingClient] = [:]
        for name in LabCacheName.browsers {
            guard let cache = caches[name] else { continue }
            var configuration = CachingClient.Configuration()
            configuration.engine = cache.engine
            browsers[name] = CachingClient(
                configuration,
                store: cache.store,
                decidedBy: RecordingDecisions(cache: name, engine: cache.engine, timeline: timeline),
                transport: timeline.recording(transport, of: name),
                clock: clock
            )
        }
        return browsers
    }
}

/// A failure to start a lab.
package struct LabFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence.
    package var description: String
}
