import ArgumentParser
import FaultProxy
import HTTPServing
import OriginScript

/// Faults and a network between the clients and the gateway.
struct GatewayFaultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Fault for every connection or request of clients, such as reset@body:20000. May be repeated.",
            valueName: "FAULT"
        )
    )
    var fault: [String] = []

    @OptionGroup var others: FaultOptions

    func validate() throws { _ = try parsedFaults(fault) }

    /// Whether any of these options is given.
    var isGiven: Bool { !fault.isEmpty || others.given != nil }

    /// Returns the proxy that clients connect to in place of a gateway on a port of this machine.
    func proxy(
        address: String,
        port: Int?,
        gatewayPort: Int?,
        threads: Int,
        connectionLimit: Int
    ) throws -> FaultProxy {
        guard let gatewayPort, let upstream = Upstream(authority: "127.0.0.1:\(gatewayPort)") else {
            throw stop("cachecheck gateway: it does not listen", ExitStatus.unavailable)
        }
        let settings = try others.settings()
        var configuration = FaultProxy.Configuration(upstream: upstream)
        (configuration.address, configuration.port) = (address, port)
        (configuration.threads, configuration.connectionLimit) = (threads, connectionLimit)
        configuration.faults.faults = try parsedFaults(fault) + settings.faults
        configuration.faults.seed = settings.seed
        (configuration.network, configuration.onDecision) = (settings.network, settings.onDecision)
        return FaultProxy(configuration)
    }
}
