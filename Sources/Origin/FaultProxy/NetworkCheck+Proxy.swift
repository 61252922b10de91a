public import MockOrigin
public import OriginScript

extension NetworkCheck {
    /// Measures a profile that a fault proxy emulates in front of a server; throws if one of them cannot be started or no
    /// connection can be opened.
    public init(throughProxy profile: NetworkProfile) throws {
        try self.init(profile) { server, network in
            var configuration = FaultProxy.Configuration(upstream: Upstream(loopback: server))
            configuration.network = network
            let proxy = FaultProxy(configuration)
            try proxy.start()
            return Proxy(port: proxy.port ?? 0) { proxy.stop() }
        }
    }
}
