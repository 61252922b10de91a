import ArgumentParser
import ControlServing
import HTTPServing

/// Limits of a server for slow clients and for the number of connections.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Maximum number of connections; further ones get a 503.", valueName: "N")
    )
    var connections = HTTPServer.Configuration().connectionLimit

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Time limit for a request head, from its first line; a later one gets a 408. (default: 30s)",
            valueName: "TIME"
        ),
        transform: timeLimit
    )
    var headTime: Duration?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Time for which request content may arrive more slowly than 1 KiB/s before the request gets a 408. For a gateway, also how long a client may stop reading. (default: 60s)",
            valueName: "TIME"
        ),
        transform: timeLimit
    )
    var contentTime: Duration?

    @Option(
        name: .long,
        help: ArgumentHelp("Time after which an idle connection is closed. (default: 5m)", valueName: "TIME"),
        transform: timeLimit
    )
    var idleTime: Duration?

    func validate() throws {
        guard (1...1_000_000).contains(connections) else {
            throw ValidationError("--connections: found \(connections), expected 1 to 1000000")
        }
    }

    /// Applies the options.
    func apply(to configuration: inout some LimitedServer) {
        configuration.connectionLimit = connections
        if let headTime { configuration.timeLimits.head = headTime }
        if let contentTime { configuration.timeLimits.content = contentTime }
        if let idleTime { configuration.timeLimits.idle = idleTime }
    }
}

/// A server configuration with limits for clients.
protocol LimitedServer {
    var connectionLimit: Int { get set }
    var timeLimits: TimeLimits { get set }
}

extension HTTPServer.Configuration: LimitedServer {}
extension StreamServer.Configuration: LimitedServer {}
extension ControlServer.Configuration: LimitedServer {}
