public import Clocks
public import HTTPServing
import LocatedYAML
import Locks
import MockOrigin
public import OriginScript
import Threads

extension Fault {
    /// Whether it can happen to bytes of any protocol.
    public var isPossibleForBytes: Bool {
        switch event {
        case .accept, .requestBody, .body, .end: true
        case .tlsHandshake, .requestHead, .beforeHead, .head: false
        }
    }
}

/// A proxy that passes every message unchanged, except for the configured faults and network.
///
/// A reverse proxy connects to its upstream only, a forward proxy to the hosts that requests name; a client's connection
/// has one to an upstream at a time.
public final class FaultProxy: Sendable {
    /// The value of `Host` for the upstream.
    public enum HostField: Sendable, Hashable {
        /// The client's value.
        case client
        /// The authority of the upstream.
        case upstream
        /// This.
        case text(String)
    }
    /// The unit that is passed.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Mode: Sendable, Hashable {
        /// Messages of HTTP/1.
        case http
        /// Bytes of any protocol.
        case bytes
    }
    /// The configuration of a proxy.
    public struct Configuration: Sendable {
        /// The server behind the proxy; `nil` for a forward proxy.
        public let upstream: Upstream?
        /// The hosts that a forward proxy connects to; `nil` for a reverse proxy.
        public let forwarding: Forwarding?
        /// TLS with clients; default `nil`, none.
        public var tls: TLSSettings?
        /// Which certificates of the upstream are accepted, if it is one of TLS.
        public var upstreamTrust = TLSTrust()
        /// The unit that is passed; by default messages of HTTP/1.
        public var mode = Mode.http
        /// Numeric address to listen on; default 127.0.0.1.
        public var address = "127.0.0.1"
        /// Port to listen on; `nil`, the default, is any free one.
        public var port: Int?
        /// Number of threads; default 2.
        public var threads = 2
        /// Number of open connections above which new ones are closed at once; default 16,384.
        public var connectionLimit = 16_384
        /// The value of `Host` for the upstream; by default the client's.
        public var host = HostField.client
        /// Whether `X-Forwarded-For`, `-Host` and `-Proto` are added; default no.
        public var addsForwardedFields = false
        /// Whether a request chooses faults by `CacheCheck-Fault`, which is not passed on then; default no.
        public var allowsRequestFaults = false
        /// Faults of all connections and requests, and the seed.
        public var faults = FaultPlan(scope: "proxy")
        /// Rules for requests and responses; default none.
        public var rules = ProxyRuleFile.empty
        /// File of these rules, which is followed; `nil` is none.
        public var ruleFile: (path: String, text: String)?
        /// Called when the file of rules has changed.
        public var onRules: @Sendable (RuleEvent) -> Void = { _ in }
        /// Whether exchanges are noted for the control API; default no.
        public var keepsJournal = false
        /// The emulated network in both directions; default none.
        public var network: NetworkSchedule?
        /// Called with each complete exchange with the upstream; default none.
        ///
        /// It is called on the proxy's threads, in the order of completion of each connection. A response that a fault
        /// or the client cuts off is then read to its end, or until it turns out that it is not recorded.
        public var onExchange: (@Sendable (RecordedEvent) -> Void)?
        /// Called with each random decision; not with a lock held.
        public var onDecision: (@Sendable (FaultDecision) -> Void)?

        /// Creates the configuration of a reverse proxy that changes nothing.
        public init(upstream: Upstream) { (self.upstream, forwarding) = (upstream, nil) }

        /// Creates the configuration of a forward proxy that changes nothing.
        public init(forwarding: Forwarding) { (upstream, self.forwarding) = (nil, forwarding) }

        /// Whether connections to upstreams may be of TLS.
        var needsTrust: Bool {
            guard let forwarding else { return upstream?.isTLS == true }
            return forwarding.interception != nil && forwarding.replacement == nil
        }

        /// Throws if the upstream is the proxy itself, where one request would become as many as there can be connections.
        fileprivate func checkUpstream() throws(ServerError) {
            guard let upstream, upstream.port == port else { return }
            let own: [String: Set] = [
                "127.0.0.1": ["0.0.0.0"], "localhost": ["127.0.0.1", "0.0.0.0"], "::1": ["::"],
            ]
            guard upstream.host == address || own[upstream.host]?.contains(address) == true else { return }
            throw .ownUpstream(upstream.authority)
        }
    }
    private let server: DuplexServer
    private let follower: FileFollower?
    let context: ProxyContext

    /// Creates a proxy that does not listen yet; `clock` drives waits, faults and the network.
    public init(_ configuration: Configuration, clock: any TimeSource = SystemClock()) {
        var own = DuplexServer.Configuration()
        (own.address, own.port) = (configuration.address, configuration.port)
        (own.threads, own.connectionLimit) = (configuration.threads, configuration.connectionLimit)
        let context = ProxyContext(configuration, clock: clock)
        self.context = context
        follower = configuration.ruleFile.map { path, text in
            FileFollower(path, text: text) { new in
                configuration.onRules(Self.apply(new, of: path, to: context))
            }
        }
        server = DuplexServer(own) { accepted in await ProxyConnection(accepted, context).serve() }
    }

    /// Starts a proxy, by default on any free port of 127.0.0.1; throws what `start()` throws.
    public static func started(
        _ configuration: Configuration,
        clock: any TimeSource = SystemClock()
    ) throws(ServerError) -> FaultProxy {
        let proxy = FaultProxy(configuration, clock: clock)
        try proxy.start()
        return proxy
    }

    /// Starts a reverse proxy with faults on any free port of 127.0.0.1.
    ///
    /// Throws `ServerError.badOrigin` if `upstream` is not the scheme and authority of an http or https URL, and what `start()`
    /// throws.
    public static func started(
        upstream: String,
        faults: [Fault] = [],
        clock: any TimeSource = SystemClock()
    ) throws(ServerError) -> FaultProxy {
        guard let server = Upstream(url: upstream) else { throw .badOrigin(upstream) }
        var configuration = Configuration(upstream: server)
        configuration.faults.faults = faults
        return try started(configuration, clock: clock)
    }

    private static func apply(
        _ text: Result<String, YAMLProblems>,
        of path: String,
        to context: ProxyContext
    ) -> RuleEvent {
        do throws(YAMLProblems) {
            let file = try ProxyRuleFile.decode(try text.get(), path: path)
            context.follow(file)
            return .loaded(rules: file.count)
        } catch {
            return .refused(error)
        }
    }

    /// The port it listens on; `nil` before `start()` and after `stop()`.
    public var port: Int? { server.port }

    /// Connections of clients that are open now.
    public var openConnections: Int { server.openConnections }

    /// Tasks that pass something on.
    var runningTasks: Int { server.runningTasks }

    /// Starts to serve, once.
    ///
    /// Throws `ServerError.alreadyStarted` if it runs.
    public func start() throws(ServerError) {
        let configuration = context.configuration
        try context.credentials.prepare(configuration)
        try server.start()
        do throws(ServerError) {
            try configuration.checkUpstream()
        } catch {
            server.stop()
            throw error
        }
        follower?.start()
        // A listener that cannot be opened again leaves the proxy refusing, which is what was asked for last.
        context.injector.start { [weak server] isRefusing in try? server?.setRefusing(isRefusing) }
    }

    /// Ends every connection and waits for the threads; may be repeated.
    public func stop() {
        follower?.stop()
        context.injector.stop()
        server.stop()
    }

    /// Stops like `stop()`, on a separate thread, and returns when it has stopped.
    public func shutDown() async {
        await onOwnThread { self.stop() }
    }
}
