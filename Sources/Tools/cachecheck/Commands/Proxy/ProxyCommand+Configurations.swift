import ArgumentParser
import FaultProxy
import HTTPServing

/// The configurations of the proxies that the options ask for.
extension ProxyCommand {
    /// Returns the configurations of all proxies, that of `--upstream` first.
    func configurations(_ recording: SiteRecording?) throws -> [FaultProxy.Configuration] {
        let settings = try faults.settings()
        let faults = try parsedFaults(fault) + settings.faults
        func common(_ base: FaultProxy.Configuration, at address: ListenAddress) -> FaultProxy.Configuration {
            var configuration = base
            (configuration.address, configuration.port) = (address.host, address.port)
            (configuration.threads, configuration.connectionLimit) = (threads, connections)
            (configuration.faults.faults, configuration.faults.seed) = (faults, settings.seed)
            (configuration.network, configuration.onDecision) = (settings.network, settings.onDecision)
            return configuration
        }
        var all: [FaultProxy.Configuration] = []
        if let base = try messageProxy() {
            var configuration = common(base, at: ListenAddress(host: listen, port: Int(freeIfZero: port)))
            try readHTTPOptions(&configuration)
            if let recording { configuration.onExchange = { recording.take($0) } }
            all.append(configuration)
        }
        for (address, upstream) in try parsedForwards() {
            var configuration = common(FaultProxy.Configuration(upstream: upstream), at: address)
            configuration.mode = .bytes
            configuration.faults.scope = "tcp \(address.port ?? 0)"
            all.append(configuration)
        }
        return all
    }

    /// Returns the proxy of `--upstream` or `--forward`; `nil` if there is none.
    private func messageProxy() throws -> FaultProxy.Configuration? {
        if forward.isForward {
            var forwarding = try forward.forwarding(tls.folder)
            forwarding.replacement = try server()
            return FaultProxy.Configuration(forwarding: forwarding)
        }
        return try server().map { FaultProxy.Configuration(upstream: $0) }
    }

    func toxiproxyConfiguration(_ port: UInt16) -> ToxiproxyServer.Configuration {
        var configuration = ToxiproxyServer.Configuration()
        (configuration.port, configuration.seed) = (Int(freeIfZero: port), faults.seed ?? 0)
        configuration.allowsOtherAddresses = listen != "127.0.0.1"
        return configuration
    }

    private func readHTTPOptions(_ configuration: inout FaultProxy.Configuration) throws {
        if let host = givenHost.flatMap({ FaultProxy.HostField($0) }) { configuration.host = host }
        configuration.addsForwardedFields = addsForwarded
        configuration.allowsRequestFaults = allowsRequestFaults
        configuration.keepsJournal = control.port != nil
        try orStop(ExitStatus.unavailable, "cachecheck proxy: ") { try tls.apply(to: &configuration) }
        guard let rules else { return }
        let (file, text) = try readRules(rules)
        (configuration.rules, configuration.ruleFile) = (file, (rules, text))
        configuration.onRules = { event in Self.report(event, rules) }
    }

    /// Returns the addresses and servers of `--tcp`.
    func parsedForwards() throws -> [(address: ListenAddress, upstream: Upstream)] {
        let faults = try parsedFaults(fault)
        if !forwards.isEmpty, let fault = faults.first(where: { !$0.isPossibleForBytes }), !passesMessages {
            throw ValidationError(
                "--fault: \(fault) needs HTTP, expected one at accept, request-body, body or end"
            )
        }
        return try forwards.map(parsedForward)
    }

    private func parsedForward(_ text: String) throws -> (address: ListenAddress, upstream: Upstream) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let server = Upstream(authority: String(parts[1])),
            let address = UInt16(parts[0]).map({ ListenAddress(host: listen, port: Int(freeIfZero: $0)) })
                ?? ListenAddress(String(parts[0]))
        else {
            throw ValidationError("--tcp: found \(text), expected PORT=HOST:PORT or ADDRESS:PORT=HOST:PORT")
        }
        return (address, server)
    }

    func server() throws -> Upstream? { try upstream.map(upstreamServer) }
}
