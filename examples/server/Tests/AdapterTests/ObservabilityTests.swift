import CacheObservability
import MockOrigin
import NIOConcurrencyHelpers
import Testing

@Suite("Logs")
struct ObservabilityTests {
    @Test("Loads are logged with their source, and failures as errors")
    func logs() async throws {
        let lines = NIOLockedValueBox<[String]>([])
        var logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        logger.logLevel = .debug
        let server = try MockServer.started(routes: [.get("/a", .plainText("one").maxAge(.seconds(60)))])
        let client = try CachingClient(cache: .memory())
        let request = ClientRequest(url: server.url("/a"))
        for _ in 0..<2 { _ = try await client.fetch(request, observer: LoggingObserver(logger)) }
        server.stop()
        let other = ClientRequest(url: "http://127.0.0.1:1/")
        _ = try? await client.fetch(other, observer: LoggingObserver(logger))
        let seen = lines.withLockedValue(\.self)
        #expect(seen.count == 3)
        #expect(seen.map { $0.split(separator: " ")[0] } == ["debug", "debug", "error"])
        #expect(seen[0].contains("origin") && seen[1].contains("memory"))
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

    func log(
        level: Logger.Level,
        message: Logger.Message,
        metadata: Logger.Metadata?,
        source: String,
        file: String,
        function: String,
        line: UInt
    ) {
        let more = (metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        lines.withLockedValue { $0.append("\(level) \(message) \(more)") }
    }
}
