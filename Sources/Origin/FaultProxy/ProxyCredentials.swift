import HTTPServing
import Locks

/// The certificates with which a proxy authenticates itself to clients and verifies upstreams.
final class ProxyCredentials: Sendable {
    private struct State {
        var client: TLSCredentials?
        var upstream: TLSCredentials?
    }
    private let state = Lock(State())

    /// Reads certificates and trusted authorities, as far as the proxy needs them.
    func prepare(_ configuration: FaultProxy.Configuration) throws(ServerError) {
        if let tls = configuration.tls {
            let own = try TLSCredentials(tls)
            state.withLock { $0.client = own }
        }
        if configuration.needsTrust {
            let own = try TLSCredentials(configuration.upstreamTrust)
            state.withLock { $0.upstream = own }
        }
    }

    /// Those of the side that clients connect to; `nil` without TLS.
    var client: TLSCredentials? { state.withLock { $0.client } }

    /// Those of the side that connects to the upstream; `nil` without TLS.
    var upstream: TLSCredentials? { state.withLock { $0.upstream } }
}
