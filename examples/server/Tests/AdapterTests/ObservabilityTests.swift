import CacheObservability
import Metrics
import MetricsTestKit
import MockOrigin
import NIOConcurrencyHelpers
import Testing

@Suite("Logs and metrics", .timeLimit(.minutes(1)))
struct ObservabilityTests {
    /// The factory of this process, which is set once.
    private static let metrics: TestMetrics = {
        let metrics = TestMetrics()
        MetricsSystem.bootstrap(metrics)
        return metrics
    }()

    /// An address at which nothing listens.
    private static let nowhere = "http://127.0.0.1:1/"

    @Test("Loads are logged with their source, and failures as errors")
    func logs() async throws {
        let lines = NIOLockedValueBox<[String]>([])
        var logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        logger.logLevel = .debug
        let server = try MockServer.started(routes: [.get("/a", .plainText("one").maxAge(.seconds(60)))])
        let client = try CachingClient(.init(observer: LoggingObserver(logger)), cache: .memory())
        for _ in 0..<2 { _ = try await client.get(server.url("/a")) }
        await server.shutDown()
        await #expect(throws: ClientError.self) { try await client.get(Self.nowhere) }
        let seen = lines.withLockedValue(\.self)
        try #require(seen.count == 3)
        #expect(seen.map { $0.split(separator: " ")[0] } == ["debug", "debug", "error"])
        #expect(seen[0].contains("source=origin") && seen[1].contains("source=memory"))
        #expect(seen[2].contains("url=\(Self.nowhere)"))
    }

    @Test("A load that its caller cancels is no error")
    func cancelled() async throws {
        let lines = NIOLockedValueBox<[String]>([])
        var logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        logger.logLevel = .debug
        let server = try MockServer.started(routes: [.get("/a", .plainText("one").delayed(by: .seconds(600)))]
        )
        let client = try CachingClient(.init(observer: LoggingObserver(logger)), cache: .memory())
        let load = Task { try await client.get(server.url("/a")) }
        _ = try await server.waitForRequests(1)
        load.cancel()
        _ = await load.result
        await server.shutDown()
        #expect(lines.withLockedValue(\.self).map { $0.split(separator: " ")[0] } == ["debug"])
    }

    @Test("Loads are counted by source and status, and failures by code")
    func counts() async throws {
        let metrics = Self.metrics
        let server = try MockServer.started(routes: [.get("/a", .plainText("one").maxAge(.seconds(60)))])
        let client = try CachingClient(.init(observer: MetricsObserver(label: "counted")), cache: .memory())
        for path in ["/a", "/a", "/a", "/missing"] { _ = try await client.get(server.url(path)) }
        await server.shutDown()
        await #expect(throws: ClientError.self) { try await client.get(Self.nowhere) }
        let loads = [("origin", "2xx"), ("memory", "2xx"), ("origin", "4xx")].map { source, status in
            metrics.total("counted_loads", [("source", source), ("status", status)])
        }
        #expect(loads == [1, 2, 1])
        #expect(metrics.total("counted_failures", [("code", "-1004")]) == 1)
        let timer = try metrics.expectTimer("counted_duration", [("source", "origin")])
        #expect(timer.values.count == 2)
        #expect(timer.values.allSatisfy { $0 > 0 })
    }

    @Test("The counts of a gateway are gauges")
    func gauges() async throws {
        let metrics = Self.metrics
        let origin = try MockServer.started(routes: [.get("/a", .plainText("one").maxAge(.seconds(60)))])
        let clock = SystemClock()
        let gateway = Gateway(
            .init(mode: .reverse(origin: origin.url)),
            store: try CacheStore(.init(diskCapacity: .zero), clock: clock),
            transport: try CurlTransport(),
            clock: clock
        )
        try gateway.start()
        // It has no store, so that each request reaches the gateway.
        let client = CachingClient(store: nil, transport: try CurlTransport(), clock: clock)
        for _ in 0..<3 { _ = try await client.get(gateway.url + "/a") }
        gateway.metrics.report(label: "reported")
        await gateway.shutDown()
        await origin.shutDown()
        #expect(try metrics.expectGauge("reported_requests").lastValue == 3)
        #expect(try metrics.expectGauge("reported_hits").lastValue == 2)
    }
}

extension TestMetrics {
    /// The value of a counter; 0 if it was never made.
    fileprivate func total(_ label: String, _ dimensions: [(String, String)]) -> Int64 {
        (try? expectCounter(label, dimensions))?.totalValue ?? 0
    }
}

/// Collects lines: level, message and metadata.
private struct LineHandler: LogHandler {
    let lines: NIOLockedValueBox<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let more = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        lines.withLockedValue { $0.append("\(event.level) \(event.message) \(more)") }
    }
}
