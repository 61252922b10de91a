import ArgumentParser
import FaultProxy
import HTTPServing
import LocatedYAML
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
            they are. A fault is ACTION[=VALUE]@EVENT[:BYTES], such as reset@body:20000, status=503@before-head \
            chance=10% or delay=2s@head path=/api/*; docs/proxy.md lists all.
            """
    )

    @Option(
        help: ArgumentHelp("Scheme and authority of the server behind, http://host:port.", valueName: "URL")
    )
    var upstream: String

    @Option(help: ArgumentHelp("Port to listen on; 0 selects a free one.", valueName: "N"))
    var port: UInt16 = 8080

    @Option(help: ArgumentHelp("IP address to listen on.", valueName: "ADDR"))
    var listen = "127.0.0.1"

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
            "Host that the upstream receives: client (unchanged), upstream (that of --upstream), or a name.",
            valueName: "NAME"
        )
    )
    var host = "client"

    @Flag(
        name: .customLong("x-forwarded"),
        help: "Add X-Forwarded-For, X-Forwarded-Host and X-Forwarded-Proto to requests."
    )
    var addsForwarded = false

    @Option(help: ArgumentHelp("Maximum number of connections; further ones are closed.", valueName: "N"))
    var connections = 16_384

    @OptionGroup(title: "Control API")
    var control: ControlOptions

    @Option(help: ArgumentHelp("Number of threads.", valueName: "N"))
    var threads = 2

    func validate() throws {
        _ = try server()
        _ = try faultsOfOptions()
        guard (1...64).contains(threads) else {
            throw ValidationError("--threads: found \(threads), expected 1 to 64")
        }
        guard (1...1_000_000).contains(connections) else {
            throw ValidationError("--connections: found \(connections), expected 1 to 1000000")
        }
        guard !host.isEmpty, !host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw ValidationError("--host: found \"\(host)\", expected client, upstream or a name")
        }
    }

    func run() throws {
        Process.raiseDescriptorLimit()
        let proxy = FaultProxy(try proxyConfiguration())
        let control = control.configuration(nil).map { ProxyControl(of: proxy, $0) }
        do {
            try proxy.start()
            try control?.start()
        } catch {
            printError("cachecheck proxy: \(error)")
            throw ExitStatus.unavailable
        }
        Process.catchEnd()
        print(greeting(port: proxy.port))
        if let control { print(Self.greeting(of: control)) }
        fflush(nil)
        Process.waitForEnd()
        control?.stop()
        proxy.stop()
        print("Stopped.")
    }

    private func proxyConfiguration() throws -> FaultProxy.Configuration {
        let settings = try faults.settings()
        var configuration = FaultProxy.Configuration(upstream: try server())
        configuration.address = listen
        configuration.port = port
        configuration.threads = threads
        configuration.connectionLimit = connections
        configuration.host = hostField
        configuration.addsForwardedFields = addsForwarded
        configuration.faults.faults = try faultsOfOptions() + settings.faults
        configuration.faults.seed = settings.seed
        configuration.network = settings.network
        configuration.keepsJournal = control.port != nil
        if let rules {
            let (file, text) = try readRules(rules)
            (configuration.rules, configuration.ruleFile) = (file, (rules, text))
            configuration.onRules = { event in Self.tell(event, rules) }
        }
        configuration.onDecision = settings.onDecision
        return configuration
    }

    private func readRules(_ path: String) throws -> (RuleFile, String) {
        guard let text = readText(path) else { throw stop("\(path) cannot be read.", ExitStatus.badFile) }
        do throws(YAMLProblems) {
            return (try RuleFile.decode(text, path: path), text)
        } catch {
            throw stop(error, ExitStatus.badFile)
        }
    }

    private static func tell(_ event: RuleEvent, _ path: String) {
        switch event {
        case .loaded(let count):
            print("\(path) has changed: \(counted(count, "rule")).")
            fflush(nil)
        case .refused(let problems):
            printError(problems)
            printError("\(path) has problems; the previous rules stay in effect.")
        }
    }

    private var hostField: FaultProxy.HostField {
        switch host {
        case "client": .client
        case "upstream": .upstream
        default: .text(host)
        }
    }

    private func server() throws -> Upstream {
        guard let upstream = Upstream(url: upstream) else {
            throw ValidationError("--upstream: found \(upstream), expected http://host:port without a path")
        }
        return upstream
    }

    private func faultsOfOptions() throws -> [Fault] {
        try fault.map { text in
            do throws(FaultTextProblem) {
                return try Fault(text: text)
            } catch {
                throw ValidationError("--fault: found \(error.found), expected \(error.expected)")
            }
        }
    }

    private static func greeting(of control: ProxyControl) -> String {
        ControlOptions.greeting(
            url: control.url,
            token: control.token,
            examples: [
                "\(control.url)/journal",
                "-X PUT -d '{\"faults\": \"status=503@before-head\"}' \(control.url)/faults",
            ],
            hasPage: false
        )
    }

    private func greeting(port: UInt16) -> String {
        let host = listen.contains(":") ? "[\(listen)]" : listen
        let url = "http://\(host):\(port)"
        return """
            Listening on \(url) for \(upstream) (Ctrl-C stops).\(faults.summary) Try:
              curl -i \(url)/
            """
    }
}
