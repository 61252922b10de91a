import Clocks
import HTTPServing
import JSON
import Locks
import OriginScript

/// A proxy of the Toxiproxy API: passes bytes between clients and an upstream, changed by its toxics.
final class ToxicProxy: Sendable {
    /// The state that a proxy shares with the others.
    struct Setting: Sendable {
        let clock: any TimeSource
        /// The seed of all random numbers.
        let seed: UInt64
        /// Whether proxies may listen on addresses that other machines reach.
        let isOpen: Bool
    }
    /// A request's description of a proxy.
    struct Definition: Sendable, Hashable {
        var listen: String
        var upstream: String
        var isEnabled: Bool
    }
    private struct State {
        var definition: Definition
        var toxics: [Toxic] = []
        var server: DuplexServer?
        var links: [Int: [ToxicLink]] = [:]
        /// Connections until now; each has its own random numbers.
        var accepted = 0
    }
    let name: String
    private let setting: Setting
    private let state: Lock<State>

    /// Creates a proxy that does not listen yet.
    init(_ name: String, _ definition: Definition, _ setting: Setting) {
        (self.name, self.setting) = (name, setting)
        state = Lock(State(definition: definition))
    }

    var definition: Definition { state.withLock { $0.definition } }

    var toxics: [Toxic] { state.withLock { $0.toxics } }

    /// The proxy as the API shows it.
    var json: JSONValue {
        let (definition, toxics) = state.withLock { ($0.definition, $0.toxics) }
        return [
            "name": .string(name), "listen": .string(definition.listen),
            "upstream": .string(definition.upstream), "enabled": .bool(definition.isEnabled),
            "toxics": .array(toxics.map(\.json)),
        ]
    }

    // MARK: Changes; the API makes one after another

    /// Starts to listen, if the proxy is enabled.
    func start() throws(ToxiproxyProblem) { try apply(definition) }

    /// Listens as the definition specifies; a change of address or upstream ends all connections.
    func update(_ changed: Definition) throws(ToxiproxyProblem) {
        guard changed != definition else { return }
        try apply(changed)
    }

    /// Replaces the toxics, on open connections too.
    func use(_ toxics: [Toxic]) {
        let links = state.withLock { state in
            state.toxics = toxics
            return state.links.values.flatMap { $0 }
        }
        for link in links { link.use(toxics) }
    }

    /// Ends all connections and stops to listen.
    func stop() {
        let server = state.withLock { state in
            defer { state.server = nil }
            return state.server
        }
        server?.stop()
    }

    private func apply(_ definition: Definition) throws(ToxiproxyProblem) {
        guard let upstream = Upstream(authority: definition.upstream) else {
            throw .badContent("upstream: found \"\(definition.upstream)\", expected host:port")
        }
        let address = try ListenAddress(definition.listen, isOpen: setting.isOpen)
        stop()
        state.withLock { ($0.definition, $0.definition.isEnabled) = (definition, false) }
        guard definition.isEnabled else { return }
        let connector = UpstreamConnector(upstream, ProxyCredentials(), clock: setting.clock)
        let server = makeServer(address, connector)
        do {
            try server.start()
        } catch {
            server.stop()
            throw ToxiproxyProblem(status: 500, sentence: "listen tcp \(definition.listen): \(error)")
        }
        state.withLock { state in
            state.server = server
            state.definition.listen = address.with(port: server.port).description
            state.definition.isEnabled = true
        }
    }

    private func makeServer(_ address: ListenAddress, _ connector: UpstreamConnector) -> DuplexServer {
        var configuration = DuplexServer.Configuration()
        (configuration.address, configuration.port) = (address.host, address.port)
        configuration.threads = 1
        return DuplexServer(configuration) { [weak self] accepted in
            await self?.serve(accepted.stream, connector)
        }
    }

    // MARK: Connections

    private func serve(_ client: DuplexStream, _ connector: UpstreamConnector) async {
        guard let upstream = try? await connector.connect(on: client.loop) else { return client.close() }
        let (number, toxics) = state.withLock { state in
            state.accepted += 1
            return (state.accepted, state.toxics)
        }
        let draw = FaultDraw(seed: setting.seed, scope: "toxiproxy \(name)", request: "connection#\(number)")
        let up = ToxicLink(client, upstream, ToxicTrack(.upstream, draw), clock: setting.clock)
        let down = ToxicLink(upstream, client, ToxicTrack(.downstream, draw), clock: setting.clock)
        for link in [up, down] { link.use(toxics) }
        let latest = state.withLock { state in
            state.links[number] = [up, down]
            return state.toxics
        }
        // Toxics may have changed before the links were known.
        if latest != toxics { for link in [up, down] { link.use(latest) } }
        await withTaskGroup(of: ConnectionEnd?.self) { group in
            for link in [up, down] { group.addTask { await link.run() } }
            for await end in group { if let end { Self.end(client, upstream, end) } }
        }
        Self.end(client, upstream, .close)
        _ = state.withLock { $0.links.removeValue(forKey: number) }
    }

    private static func end(_ client: DuplexStream, _ upstream: DuplexStream, _ end: ConnectionEnd) {
        for stream in [client, upstream] { end == .reset ? stream.reset() : stream.close() }
    }
}

extension ListenAddress {
    /// Reads `host:port` as Toxiproxy does.
    fileprivate init(_ text: String, isOpen: Bool) throws(ToxiproxyProblem) {
        let found = "listen: found \"\(text)\", expected"
        guard let address = ListenAddress(text) else {
            throw .badContent("\(found) a numeric address and a port, such as 127.0.0.1:0")
        }
        guard isOpen || address.isLoopback else {
            throw .badContent("\(found) a loopback address; others need --listen with another address")
        }
        self = address
    }
}
