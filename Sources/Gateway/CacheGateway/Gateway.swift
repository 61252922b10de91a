public import Addresses
public import CacheClient
public import CacheStorage
public import Clocks
public import HTTPServing
public import CacheSemantics
public import HTTPTypes
import Threads

/// A caching gateway: `HTTPServing` in front, `CachingClient` behind.
///
/// It serves one origin (a reverse proxy) or any (a forward proxy), stores what may be stored, and forwards content
/// unchanged.
public final class Gateway: Sendable {
    /// The configuration of a gateway.
    public struct Configuration: Sendable {
        /// Which requests are forwarded, and where.
        public var mode: ProxyMode
        /// Blocks of addresses that are permitted for absolute targets although they are not public, such as those of
        /// this machine and of private networks; default none.
        public var allowedAddresses: [AddressBlock] = []
        /// Fields of proxies, such as `X-Forwarded-Host`, that callers may send to the origin: they become part of the key;
        /// default none.
        public var passedFields: [HTTPField.Name] = []
        /// Whether the percent-encoding of the origin's targets is normalized, in forwarded requests and in keys;
        /// default false.
        ///
        /// Absolute targets of other servers are forwarded unchanged.
        public var normalizesPercentEncoding = false
        /// Other names of this gateway in absolute targets in reverse mode: host, or host and port.
        public var hostNames: [String] = []
        /// The port in clients' absolute targets; default `nil`: the port of `server`.
        public var publicPort: Int?
        /// The caching rules, by default those of a shared cache.
        ///
        /// `servesSeveralUsers` is always enabled, and `targets` are replaced, regardless of their values here.
        public var engine = CacheEngine(kind: .shared)
        /// The targeted fields that the cache obeys, in order of precedence (RFC 9213 §2.2).
        ///
        /// `nil`, the default, for `CDN-Cache-Control` in a shared reverse proxy, and for none otherwise: the field is for
        /// caches on behalf of an origin (RFC 9213 §3.1), and neither a forward proxy nor a private cache is one.
        public var targets: [HTTPField.Name]?
        /// The time for which the origin may send nothing before the response is 504; default 60 s.
        public var originTimeout: Duration = .seconds(60)
        /// Called with each exchange when it ends, for access logs; default none.
        ///
        /// Called on the gateway's threads, which it must not block. A response from memory is reported when it has been
        /// prepared, others when they have been sent. A hit may thus be reported before the miss that stored its
        /// response: order by `startedAt`. Requests that cannot be read as HTTP are not reported: `metrics` count them as
        /// errors. With an observer, hits take a little longer.
        public var onExchange: (@Sendable (GatewayExchange) -> Void)?
        /// Called with each entry that could not be written, or was lost or damaged in the cache's folder: `subject` is
        /// its URL, or a file; for logs, default none.
        ///
        /// Responses do not show it, because the URL may be another caller's. Called on the gateway's threads, which it must not
        /// block.
        public var onStorageDamage: (@Sendable (StorageDamage) -> Void)?
        /// The listener and its limits.
        public var server = StreamServer.Configuration()

        /// Creates a configuration with the default settings.
        public init(mode: ProxyMode) { self.mode = mode }

        /// The rules by which the gateway stores responses, for the configuration of its store.
        ///
        /// Those of a private cache differ from a client's, which stores responses for its user that a gateway must not give
        /// to others (RFC 9111 §3.5).
        public var storingRules: String {
            var engine = engine
            engine.targets = obeyedTargets
            return engine.storingRules + (engine.kind == .private ? ", for several users" : "")
        }

        fileprivate var obeyedTargets: [HTTPField.Name] {
            targets ?? (engine.kind == .shared && !mode.forwards ? [.cdnCacheControl] : [])
        }
    }

    /// The name in `Via`.
    public static let pseudonym = "cachecheck"

    /// The metrics since the start.
    public let metrics = GatewayMetrics()
    private let server: StreamServer
    private let client: CachingClient
    let store: CacheStore
    /// The clock of the cache.
    let clock: any TimeSource
    /// The caching rules.
    let engine: CacheEngine
    private let mode: ProxyMode

    /// The parts of a gateway whose decisions are observed.
    package struct Parts {
        var store: CacheStore
        var transport: any Transport
        var clock: any TimeSource
        /// Makes the decisions in place of the engine; `nil` for the engine.
        var decisions: (any CacheDecisions)?
        /// The clock for the time limits of callers.
        var timeoutClock: any TimeSource

        /// Creates the parts of a gateway that asks `decisions` about every request.
        package init(
            store: CacheStore,
            transport: any Transport,
            clock: any TimeSource,
            decisions: any CacheDecisions,
            timeoutClock: any TimeSource
        ) {
            (self.store, self.transport, self.clock) = (store, transport, clock)
            (self.decisions, self.timeoutClock) = (decisions, timeoutClock)
        }

        init(
            store: CacheStore,
            transport: any Transport,
            clock: any TimeSource,
            timeoutClock: any TimeSource
        ) {
            (self.store, self.transport, self.clock, self.timeoutClock) = (
                store, transport, clock, timeoutClock
            )
        }
    }

    /// Creates a gateway that does not listen yet.
    ///
    /// `timeoutClock` is the clock for the time limits of its callers, by default the same; a clock that is advanced by hand
    /// would end idle connections.
    public convenience init(
        _ configuration: Configuration,
        store: CacheStore,
        transport: any Transport,
        clock: any TimeSource,
        timeoutClock: (any TimeSource)? = nil
    ) {
        let parts = Parts(
            store: store,
            transport: transport,
            clock: clock,
            timeoutClock: timeoutClock ?? clock
        )
        self.init(configuration, parts)
    }

    /// Creates a gateway with its own cache, over libcurl, that does not listen yet.
    ///
    /// `trust` selects the origins that are trusted over TLS. `clock` drives the cache, by default the machine's clock;
    /// the time limits of callers always use the machine's. Throws `StorageError` if the cache's folder cannot be opened,
    /// and `TransportError` if no thread can be started.
    public convenience init(
        _ configuration: Configuration,
        cache: CachingClient.Cache,
        trust: TrustPolicy = TrustPolicy(),
        clock: any TimeSource = SystemClock()
    ) throws {
        self.init(
            configuration,
            store: try cache.store(configuration.storingRules, clock: clock),
            transport: try CurlTransport(trust: trust),
            clock: clock,
            timeoutClock: SystemClock()
        )
    }

    /// Starts a gateway with its own cache, by default on any free port of 127.0.0.1.
    ///
    /// Throws what the initializer and `start()` throw.
    public static func started(
        _ configuration: Configuration,
        cache: CachingClient.Cache = .memory(),
        trust: TrustPolicy = TrustPolicy(),
        clock: any TimeSource = SystemClock()
    ) throws -> Gateway {
        let gateway = try Gateway(configuration, cache: cache, trust: trust, clock: clock)
        try gateway.start()
        return gateway
    }

    /// Creates a gateway of these parts that does not listen yet.
    package init(_ configuration: Configuration, _ parts: Parts) {
        var client = CachingClient.Configuration()
        client.engine = configuration.engine
        client.engine.servesSeveralUsers = true
        client.engine.targets = configuration.obeyedTargets
        client.engine.keyFields += configuration.passedFields
        client.normalizesPercentEncoding = configuration.normalizesPercentEncoding
        client.followsRedirects = false
        client.decodesContent = false
        client.defaultTimeout = configuration.originTimeout
        client.onStorageDamage = configuration.onStorageDamage
        let made = CachingClient(
            client,
            store: parts.store,
            decidedBy: parts.decisions,
            transport: parts.transport,
            clock: parts.clock
        )
        self.client = made
        (store, clock, engine) = (parts.store, parts.clock, client.engine)
        mode = configuration.mode
        let handler = GatewayHandler(
            client: made,
            executor: parts.transport.executor,
            target: Self.rule(configuration),
            metrics: metrics,
            clock: parts.clock,
            repeatsHits: parts.decisions == nil,
            reporter: configuration.onExchange.map {
                ExchangeReporter(observer: $0, clock: parts.timeoutClock)
            }
        )
        server = StreamServer(configuration.server, handler: handler, clock: parts.timeoutClock)
    }

    /// Waits until no background validation runs.
    package func waitForBackgroundWork() async { await client.waitForBackgroundWork() }

    /// Whether a field may be in `Configuration.passedFields`: fields of the connection or the framing may not.
    public static func canPass(_ name: HTTPField.Name) -> Bool { !PassedFields.isOfConnection(name) }

    /// The port it listens on; `nil` while it does not.
    public var port: Int? { server.port }

    /// The URL of its root without a slash at the end; with port 0 while it does not listen.
    public var url: String { server.url }

    /// Returns the URL of a path: `gateway.url("/users?page=2")`.
    public func url(_ path: String) -> String { server.url(path) }

    /// Starts to serve.
    ///
    /// Throws `ServerError.badOrigin` if the mode's origin is not the scheme and authority of an http or https URL, and
    /// `ServerError.alreadyStarted` if it has been started and not stopped since.
    public func start() throws(ServerError) {
        try mode.checkOrigin()
        try server.start()
    }

    /// Closes every connection, waits for the threads, and writes what is stored to the folder of the cache, which blocks.
    public func stop() {
        server.stop()
        store.flush()
    }

    /// Stops like `stop()`, on a separate thread, and returns when it has stopped.
    public func shutDown() async {
        await onOwnThread { self.stop() }
    }

    /// The number of entries in the store.
    public var entryCount: Int { store.entryCount }

    /// The number of open connections from callers.
    public var openConnections: Int { server.openConnections }

    /// The number of bytes in the memory tier.
    public var memoryUsage: ByteCount { store.memoryUsage }

    /// The number of bytes in the disk tier.
    public var diskUsage: ByteCount { store.diskUsage }

    /// Removes the entries of the origin's URL and of equivalent URLs (RFC 3986 §6.2.2), for all gateways that share
    /// the folder; returns `nil` for what is not an absolute http or https URL.
    @discardableResult
    public func purge(url: String) -> ChangeOutcome? {
        let request = ClientRequest(forwarding: .get, url: url, fields: [:], keepsTarget: true)
        return client.cacheKey(for: request).map { store.remove(targetURI: $0.targetURI) }
    }

    /// Removes the entries of all URLs with a prefix, as requested or normalized, for all gateways that share the
    /// folder.
    @discardableResult
    public func purge(prefix: String) -> ChangeOutcome { store.remove(prefix: prefix) }

    /// Removes the entries of an origin with a tag: one of its `Cache-Groups` (RFC 9875), or a member of one of the
    /// store's `tagFields`, for all gateways that share the folder.
    ///
    /// `origin` is a scheme and authority, by default the gateway's own origin. Returns `nil` if the gateway has none,
    /// or if `origin` is not one.
    @discardableResult
    public func purge(tag: String, of origin: String? = nil) -> ChangeOutcome? {
        guard let wanted = origin ?? mode.origin,
            let key = client.cacheKey(for: ClientRequest(forwarding: .get, url: wanted, fields: [:]))
        else { return nil }
        return store.remove(tag: tag, of: StoredResponse.origin(of: key.targetURI))
    }

    /// Removes everything, for all gateways that share the folder.
    @discardableResult
    public func purgeAll() -> ChangeOutcome { store.removeAll() }

    private static func rule(_ configuration: Configuration) -> TargetRule {
        TargetRule(
            mode: configuration.mode,
            addresses: AddressRule(allowing: configuration.allowedAddresses),
            names: GatewayNames(configuration),
            passedFields: Set(configuration.passedFields)
        )
    }
}
