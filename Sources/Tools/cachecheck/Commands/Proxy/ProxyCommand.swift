import ArgumentParser
import FaultProxy
import HTTPServing
import OriginScript

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `cachecheck proxy`.
struct ProxyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Run a fault-injecting proxy in front of a server, until Ctrl-C.",
        discussion: """
            Every message passes byte for byte, in both directions, unless faults, a network profile or the options \
            below ask for something else. Each connection of a client has its own to the upstream, and the proxy \
            connects to nothing else. Upgraded connections such as WebSocket, and bytes that are not HTTP/1, pass as \
            they are. With --forward it is a forward proxy, and connects to the hosts that requests name. A fault is ACTION[=VALUE]@EVENT[:BYTES], such as reset@body:20000, status=503@before-head \
            chance=10% or delay=2s@head path=/api/*; docs/proxy.md lists all.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Scheme and authority of the server behind, http://host:port or https://host:port.",
            valueName: "URL"
        )
    )
    var upstream: String?

    @OptionGroup(title: "Forward proxy")
    var forward: ForwardOptions

    @Option(
        help: ArgumentHelp(
            "YAML file of several proxies: proxies: [{name, listen, upstream, …}]. It is read again when it changes.",
            valueName: "FILE"
        )
    )
    var config: String?

    @Option(
        name: .customLong("tcp"),
        help: ArgumentHelp(
            "Also pass bytes of any protocol from this port to another server, such as 15432=127.0.0.1:5432. May be repeated.",
            valueName: "PORT=HOST:PORT"
        )
    )
    var forwards: [String] = []

    @Option(
        name: .customLong("port"),
        help: ArgumentHelp("Port to listen on; 0 selects a free one. (default: 8080)", valueName: "N")
    )
    var givenPort: UInt16?

    @Option(
        name: .customLong("listen"),
        help: ArgumentHelp("IP address to listen on. (default: 127.0.0.1)", valueName: "ADDR")
    )
    var givenAddress: String?

    @Option(
        help: ArgumentHelp(
            "Fault for every connection or request. May be repeated.",
            valueName: "FAULT"
        )
    )
    var fault: [String] = []

    @OptionGroup(title: "Faults and network")
    var faults: FaultOptions

    @Option(
        help: ArgumentHelp(
            "YAML file of rules: rules: [...]. It is read again when it changes.",
            valueName: "FILE"
        )
    )
    var rules: String?

    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "Host that the upstream receives: client (unchanged), upstream (that of --upstream), or a name. (default: client)",
            valueName: "NAME"
        )
    )
    var givenHost: String?

    @Flag(
        name: .customLong("x-forwarded"),
        help: "Add X-Forwarded-For, X-Forwarded-Host and X-Forwarded-Proto to requests."
    )
    var addsForwarded = false

    @Flag(
        name: .customLong("allow-request-faults"),
        help: "Let requests choose faults by CacheCheck-Fault: FAULT; ..., which is not passed on."
    )
    var allowsRequestFaults = false

    @Option(
        name: .customLong("record"),
        help: ArgumentHelp(
            "Record what the upstream answers as a site, which cachecheck serve replays in its place.",
            valueName: "DIR"
        )
    )
    var recordFolder: String?

    @Flag(help: "With --record: keep credentials, cookies and tokens.")
    var keepSecrets = false

    @Flag(
        name: .customLong("minimize"),
        help:
            "Run the command after -- with ever fewer faults, and write the fewest with which it fails as rules. It finds the proxy's URL in CACHECHECK_PROXY."
    )
    var minimizes = false

    @Option(
        help: ArgumentHelp("File of rules that --minimize writes. (default: minimal.yaml)", valueName: "FILE")
    )
    var minimal: String?

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("Command of --minimize, with its arguments.", valueName: "command")
    )
    var command: [String] = []

    @Option(help: ArgumentHelp("Maximum number of connections; further ones are closed.", valueName: "N"))
    var connections = 16_384

    @OptionGroup(title: "TLS")
    var tls: ProxyTLSOptions

    @OptionGroup(title: "Control API")
    var control: ControlOptions

    @Option(
        help: ArgumentHelp(
            "Serve the API of Toxiproxy, without authentication, on this port of 127.0.0.1; 0 selects a free one.",
            valueName: "N"
        )
    )
    var toxiproxyPort: UInt16?

    @Option(help: ArgumentHelp("Number of threads.", valueName: "N"))
    var threads = 2

    var port: UInt16 { givenPort ?? 8080 }

    var listen: String { givenAddress ?? "127.0.0.1" }

    func validate() throws {
        try validateMinimizing()
        if config != nil { return try validateConfig() }
        guard passesMessages || !forwards.isEmpty || toxiproxyPort != nil else {
            throw ValidationError(
                "found none of --upstream, --forward, --tcp, --toxiproxy-port and --config, expected one of them"
            )
        }
        guard passesMessages || (control.port == nil && rules == nil) else {
            throw ValidationError("--control-port and --rules are for --upstream and --forward")
        }
        guard upstream != nil || recordFolder == nil else {
            throw ValidationError("--record is for --upstream")
        }
        try validateForward()
        guard recordFolder != nil || !keepSecrets else {
            throw ValidationError("--keep-secrets: found no --record, expected both")
        }
        let server = try server()
        guard server != nil || tls.choice == nil else { throw ValidationError("--tls is for --upstream") }
        guard tls.caDir == nil || tls.choice != nil || !forward.intercept.isEmpty else {
            throw ValidationError("--ca-dir: found neither --tls nor --intercept, expected one of them")
        }
        guard server?.isTLS == true || !forward.intercept.isEmpty || !tls.concernsUpstream else {
            throw ValidationError(
                "--upstream-ca and --insecure-upstream are for an https:// upstream, or --intercept"
            )
        }
        guard passesMessages || !allowsRequestFaults else {
            throw ValidationError("--allow-request-faults is for --upstream and --forward")
        }
        _ = try parsedForwards()
        _ = try parsedFaults(fault)
        try validateLimits()
        if let givenHost, FaultProxy.HostField(givenHost) == nil {
            throw ValidationError("--host: found \"\(givenHost)\", expected client, upstream or a name")
        }
    }

    /// Whether one of the ports passes messages of HTTP.
    private var passesMessages: Bool { upstream != nil || forward.isForward }

    private func validateForward() throws {
        guard forward.isForward else { return }
        let others = [
            ("--upstream", upstream != nil), ("--host", givenHost != nil), ("--tls", tls.choice != nil),
        ]
        if let other = others.first(where: \.1)?.0 {
            throw ValidationError("\(other) together with --forward, expected it without")
        }
    }

    func validateLimits() throws {
        guard (1...64).contains(threads) else {
            throw ValidationError("--threads: found \(threads), expected 1 to 64")
        }
        guard (1...1_000_000).contains(connections) else {
            throw ValidationError("--connections: found \(connections), expected 1 to 1000000")
        }
    }

    func run() throws {
        Process.raiseDescriptorLimit()
        if let config { return try runConfig(config) }
        if minimizes { return try runMinimizing() }
        let recording = try makeRecording()
        let proxies = try configurations(recording).map { FaultProxy($0) }
        let control = control.configuration(nil).map { ProxyControl(of: proxies[0], $0) }
        let toxiproxy = toxiproxyPort.map { ToxiproxyServer(toxiproxyConfiguration($0)) }
        do {
            for proxy in proxies { try proxy.start() }
            try control?.start()
            try toxiproxy?.start()
        } catch {
            printError("cachecheck proxy: \(error)")
            throw ExitStatus.unavailable
        }
        Process.catchEnd()
        if !proxies.isEmpty { print(greeting(ports: proxies.compactMap(\.port))) }
        if let toxiproxy {
            print("Toxiproxy API, without authentication: http://127.0.0.1:\(toxiproxy.port ?? 0)")
        }
        if let control { print(Self.greeting(of: control)) }
        fflush(nil)
        Process.waitForEnd()
        control?.stop()
        toxiproxy?.stop()
        for proxy in proxies { proxy.stop() }
        print(try recording?.end() ?? "Stopped.")
    }

    /// The configurations of all proxies, that of `--upstream` first.
    func configurations(_ recording: SiteRecording?) throws -> [FaultProxy.Configuration] {
        let settings = try faults.settings()
        let faults = try parsedFaults(fault) + settings.faults
        var all: [FaultProxy.Configuration] = []
        func add(
            _ base: FaultProxy.Configuration,
            port: UInt16,
            _ change: (inout FaultProxy.Configuration) throws -> Void
        )
            rethrows
        {
            var configuration = base
            (configuration.address, configuration.port) = (listen, Int(freeIfZero: port))
            (configuration.threads, configuration.connectionLimit) = (threads, connections)
            (configuration.faults.faults, configuration.faults.seed) = (faults, settings.seed)
            (configuration.network, configuration.onDecision) = (settings.network, settings.onDecision)
            try change(&configuration)
            all.append(configuration)
        }
        if let base = try messageProxy() {
            try add(base, port: port) { configuration in
                try readHTTPOptions(&configuration)
                if let recording { configuration.onExchange = { recording.take($0) } }
            }
        }
        for (port, upstream) in try parsedForwards() {
            add(FaultProxy.Configuration(upstream: upstream), port: port) { configuration in
                configuration.mode = .bytes
                configuration.faults.scope = "tcp \(port)"
            }
        }
        return all
    }

    /// The proxy of `--upstream` or `--forward`; `nil` where there is none.
    private func messageProxy() throws -> FaultProxy.Configuration? {
        if forward.isForward {
            return FaultProxy.Configuration(forwarding: try forward.forwarding(tls.folder))
        }
        return try server().map { FaultProxy.Configuration(upstream: $0) }
    }

    private func toxiproxyConfiguration(_ port: UInt16) -> ToxiproxyServer.Configuration {
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
        do {
            try tls.apply(to: &configuration)
        } catch {
            throw stop("cachecheck proxy: \(error)", ExitStatus.unavailable)
        }
        guard let rules else { return }
        let (file, text) = try readRules(rules)
        (configuration.rules, configuration.ruleFile) = (file, (rules, text))
        configuration.onRules = { event in Self.report(event, rules) }
    }

    /// The ports and servers of `--tcp`.
    private func parsedForwards() throws -> [(port: UInt16, upstream: Upstream)] {
        let faults = try parsedFaults(fault)
        if !forwards.isEmpty, let fault = faults.first(where: { !$0.isPossibleForBytes }), !passesMessages {
            throw ValidationError(
                "--fault: \(fault) needs HTTP, expected one at accept, request-body, body or end"
            )
        }
        return try forwards.map { text in
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let port = UInt16(parts[0]),
                let server = Upstream(authority: String(parts[1]))
            else { throw ValidationError("--tcp: found \(text), expected PORT=HOST:PORT") }
            return (port, server)
        }
    }

    private func server() throws -> Upstream? { try upstream.map(upstreamServer) }
}
