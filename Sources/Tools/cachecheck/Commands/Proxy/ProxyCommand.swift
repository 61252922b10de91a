import ArgumentParser
import CLibrary
import FaultProxy

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

            Exit status: 0 after Ctrl-C or with a minimal set of faults, 1 --minimize finds none, 64 usage, 65 a bad file, \
            69 it could not start, 70 a file could not be written.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Upstream server, http://host:port or https://host:port. With --forward, send all requests to it, whatever host they name.",
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
            "Also pass bytes of any protocol from this port to another server, such as 15432=127.0.0.1:5432, or from an address and a port. May be repeated.",
            valueName: "LISTEN=HOST:PORT"
        )
    )
    var forwards: [String] = []

    @Option(
        name: .customLong("port"),
        help: ArgumentHelp("Port to listen on; 0 selects a free one. (default: 8080)", valueName: "N"),
        transform: portNumber
    )
    var givenPort: UInt16?

    @Option(
        name: .customLong("listen"),
        help: ArgumentHelp("IP address to listen on. (default: 127.0.0.1)", valueName: "ADDR")
    )
    var givenAddress: String?

    @Option(help: ArgumentHelp("Fault for every connection or request. May be repeated.", valueName: "FAULT"))
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
            "Value of Host sent upstream: client (as received), upstream (authority of --upstream), or a literal host. (default: client)",
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
            "Record upstream responses as a site that cachecheck serve can replay.",
            valueName: "DIR"
        )
    )
    var recordFolder: String?

    @OptionGroup(title: "Redaction, with --record")
    var redaction: RedactionOptions

    @Flag(
        name: .customLong("minimize"),
        help:
            "Run the command after -- repeatedly to find a minimal set of faults with which it fails, and write that set as a rule file. Its environment has the proxy's URL as CACHECHECK_PROXY."
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
        ),
        transform: portNumber
    )
    var toxiproxyPort: UInt16?

    @Option(help: ArgumentHelp("Number of threads.", valueName: "N"))
    var threads = 2

    var port: UInt16 { givenPort ?? 8080 }

    var listen: String { givenAddress ?? "127.0.0.1" }

    /// Whether one of the ports passes messages of HTTP.
    var passesMessages: Bool { upstream != nil || forward.isForward }

    func run() throws {
        Process.raiseDescriptorLimit()
        if let config { return try runConfig(config) }
        if minimizes { return try runMinimizing() }
        let recording = try makeRecording()
        let proxies = try configurations(recording).map { FaultProxy($0) }
        let control = control.configuration(nil).map { ProxyControl(of: proxies[0], $0) }
        let toxiproxy = toxiproxyPort.map { ToxiproxyServer(toxiproxyConfiguration($0)) }
        try start(proxies, control, toxiproxy)
        Process.waitForEnd()
        control?.stop()
        toxiproxy?.stop()
        for proxy in proxies { proxy.stop() }
        print(try recording?.end() ?? "Stopped.")
    }

    private func start(_ proxies: [FaultProxy], _ control: ProxyControl?, _ toxiproxy: ToxiproxyServer?)
        throws
    {
        try orStop(ExitStatus.unavailable, "cachecheck proxy: ") {
            for proxy in proxies { try proxy.start() }
            try control?.start()
            try toxiproxy?.start()
        }
        Process.catchEnd()
        if !proxies.isEmpty { print(try greeting(ports: proxies.compactMap(\.port))) }
        if let toxiproxy {
            print("Toxiproxy API, without authentication: http://127.0.0.1:\(toxiproxy.port ?? 0)")
        }
        if let control { print(Self.greeting(of: control)) }
        fflush(nil)
    }
}
