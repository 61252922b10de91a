public import Clocks
import ControlServing
public import HTTPServing
import JSON
import Locks

/// The HTTP API of Toxiproxy 2.12 with its proxies and toxics, on 127.0.0.1 and without authentication.
///
/// Like Toxiproxy, it rejects browsers, because other sites could make them send requests to it.
public final class ToxiproxyServer: Sendable {
    /// The configuration of a server.
    public struct Configuration: Sendable {
        /// Port of the API; `nil` is any free one, default 8474.
        public var port: Int? = 8474
        /// The seed of toxicity, jitter and sizes; default 0.
        public var seed: UInt64 = 0
        /// Whether proxies may listen on addresses that other machines can reach; default no.
        public var allowsOtherAddresses = false

        /// Creates the default configuration.
        public init() {}
    }
    private let server: ControlServer
    private let proxies: ToxicProxies

    /// Creates an API that does not listen yet; `clock` drives all toxics.
    public init(_ configuration: Configuration, clock: any TimeSource = SystemClock()) {
        var own = ControlServer.Configuration()
        own.port = configuration.port
        let setting = ToxicProxy.Setting(
            clock: clock,
            seed: configuration.seed,
            isOpen: configuration.allowsOtherAddresses
        )
        let proxies = ToxicProxies(setting)
        self.proxies = proxies
        server = ControlServer(
            own,
            ControlServer.Description(
                title: "Toxiproxy",
                summary: "The API of Toxiproxy 2.12: proxies of bytes, and toxics on them."
            ),
            operations: ToxiproxyOperations(proxies: proxies).all
        )
    }

    /// The port it listens on; `nil` while it does not.
    public var port: Int? { server.port }

    /// Starts to serve; may be called once.
    public func start() throws(ServerError) { try server.start() }

    /// Closes the connections of the API and of all proxies.
    public func stop() {
        server.stop()
        proxies.removeAll()
    }
}

/// The proxies of a Toxiproxy API by their names.
final class ToxicProxies: Sendable {
    let setting: ToxicProxy.Setting
    private let known = Lock<[String: ToxicProxy]>([:])

    init(_ setting: ToxicProxy.Setting) { self.setting = setting }

    /// All proxies in the order of their names.
    var all: [ToxicProxy] { known.withLock { $0.values.sorted { $0.name < $1.name } } }

    func find(_ name: String) throws(ToxiproxyProblem) -> ToxicProxy {
        guard let proxy = known.withLock({ $0[name] }) else { throw .proxyNotFound }
        return proxy
    }

    /// Creates and starts a proxy.
    func create(_ name: String, _ definition: ToxicProxy.Definition) throws(ToxiproxyProblem) -> ToxicProxy {
        guard known.withLock({ $0[name] }) == nil else { throw .proxyExists }
        let proxy = ToxicProxy(name, definition, setting)
        try proxy.start()
        known.withLock { $0[name] = proxy }
        return proxy
    }

    /// Returns the proxy of this definition, which replaces another of the same name.
    func populate(_ name: String, _ definition: ToxicProxy.Definition) throws(ToxiproxyProblem) -> ToxicProxy
    {
        if let present = known.withLock({ $0[name] }) {
            let own = present.definition
            if own.listen == definition.listen, own.upstream == definition.upstream { return present }
            try remove(name)
        }
        return try create(name, definition)
    }

    func remove(_ name: String) throws(ToxiproxyProblem) {
        guard let proxy = known.withLock({ $0.removeValue(forKey: name) }) else { throw .proxyNotFound }
        proxy.stop()
    }

    /// Stops and forgets all proxies.
    func removeAll() {
        let proxies = known.withLock { known in
            defer { known = [:] }
            return known.values.map { $0 }
        }
        for proxy in proxies { proxy.stop() }
    }

    /// Enables all proxies and removes all toxics.
    func reset() throws(ToxiproxyProblem) {
        for proxy in all {
            var definition = proxy.definition
            definition.isEnabled = true
            try proxy.update(definition)
            proxy.use([])
        }
    }
}
