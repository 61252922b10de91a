public import CacheClient
public import Clocks
public import FaultProxy
public import HTTPServing
import HTTPTypes
import Threads

/// A proxy without a cache that reports every exchange.
public final class RecordingProxy: Sendable {
    /// The configuration of a recording proxy.
    public struct Configuration: Sendable {
        /// Which requests are forwarded, and where.
        public var mode: ProxyMode
        /// The listener and its limits.
        public var server = StreamServer.Configuration()
        /// Largest content that is recorded, default 64 MiB; `nil` is no limit.
        ///
        /// Larger content is forwarded and not recorded.
        public var largestContent: ByteCount? = .mebibytes(64)
        /// Whether origins are asked only for content codings that can be decoded; default false.
        public var asksForReadableCodings = false
        /// The time for which the origin may send nothing before the response is 504, by the proxy's clock; default 60 s.
        ///
        /// The time for which the origin waits for a slow client does not count.
        public var originTimeout = Duration.seconds(60)

        /// Creates a configuration with the default settings.
        public init(mode: ProxyMode) { self.mode = mode }
    }
    private let mode: ProxyMode
    private let server: StreamServer

    /// Creates a proxy that does not listen yet.
    ///
    /// `report` is called on any thread, before the client receives the end of the response.
    public init(
        _ configuration: Configuration,
        transport: any Transport,
        clock: any TimeSource,
        report: @escaping @Sendable (RecordedEvent) -> Void
    ) {
        let handler = RecordingHandler(
            configuration: configuration,
            transport: transport,
            clock: clock,
            report: report
        )
        mode = configuration.mode
        server = StreamServer(configuration.server, handler: handler, clock: clock)
    }

    /// Starts a proxy over libcurl, by default on any free port of 127.0.0.1.
    ///
    /// `trust` selects the origins that are trusted over TLS. Throws what `start()` throws, and `TransportError` if no
    /// thread can be started. `report` is called on any thread, before the client receives the end of the response.
    public static func started(
        _ configuration: Configuration,
        trust: TrustPolicy = TrustPolicy(),
        clock: any TimeSource = SystemClock(),
        report: @escaping @Sendable (RecordedEvent) -> Void
    ) throws -> RecordingProxy {
        let transport = try CurlTransport(trust: trust)
        let proxy = RecordingProxy(configuration, transport: transport, clock: clock, report: report)
        try proxy.start()
        return proxy
    }

    /// The port it listens on; `nil` while it does not.
    public var port: Int? { server.port }

    /// The URL of its root without a slash at the end; with port 0 while it does not listen.
    public var url: String { server.url }

    /// Returns the URL of a path: `proxy.url("/users?page=2")`.
    public func url(_ path: String) -> String { server.url(path) }

    /// Starts to serve.
    ///
    /// Throws `ServerError.badOrigin` if the mode's origin is not the scheme and authority of an http or https URL, and
    /// `ServerError.alreadyStarted` if it has been started and not stopped since.
    public func start() throws(ServerError) {
        try mode.checkOrigin()
        try server.start()
    }

    /// Closes every connection and waits for the threads, which blocks.
    public func stop() { server.stop() }

    /// Stops like `stop()`, on a separate thread, and returns when it has stopped.
    public func shutDown() async {
        await onOwnThread { self.stop() }
    }
}

/// Handles the requests of a recording proxy.
struct RecordingHandler: StreamHandler {
    let configuration: RecordingProxy.Configuration
    let transport: any Transport
    let clock: any TimeSource
    let report: @Sendable (RecordedEvent) -> Void

    func begin(_ exchange: StreamExchange) {
        let passing = PassingExchange(exchange: exchange, handler: self)
        let task = Task(executorPreference: transport.executor) { await passing.run() }
        exchange.onGone { task.cancel() }
    }

    func refusal(for problem: RequestProblem) -> [UInt8] {
        PassingExchange.ownResponse(problem.status, problem.explanation, isHead: false)
    }
}
