import ArgumentParser
import ControlServing
import HTTPServing
import LocatedYAML

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
        )
    )
    var headTime: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Time for which request content may arrive more slowly than 1 KiB/s before the request gets a 408. For a gateway, also how long a client may stop reading. (default: 60s)",
            valueName: "TIME"
        )
    )
    var contentTime: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Time after which an idle connection is closed. (default: 5m)", valueName: "TIME")
    )
    var idleTime: String?

    func validate() throws {
        guard (1...1_000_000).contains(connections) else {
            throw ValidationError("--connections: found \(connections), expected 1 to 1000000")
        }
        for (name, text) in [("head", headTime), ("content", contentTime), ("idle", idleTime)] {
            guard let text, time(text) == nil else { continue }
            throw ValidationError(
                "--\(name)-time: found \"\(text)\", expected a duration above 0 such as 30s or 2m"
            )
        }
    }

    /// Applies the options.
    func apply(to configuration: inout some LimitedServer) {
        configuration.connectionLimit = connections
        if let time = headTime.flatMap(time) { configuration.timeLimits.head = time }
        if let time = contentTime.flatMap(time) { configuration.timeLimits.content = time }
        if let time = idleTime.flatMap(time) { configuration.timeLimits.idle = time }
    }

    private func time(_ text: String) -> Duration? {
        Quantity.duration(text).flatMap { $0 > .zero && $0 <= .seconds(86_400) ? $0 : nil }
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
