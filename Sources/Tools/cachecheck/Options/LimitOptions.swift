import ArgumentParser
import ControlServing
import HTTPServing
import LocatedYAML

/// Options of a server about clients that are too slow or too many.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Most connections at once; one more is answered 503.", valueName: "N")
    )
    var connections = HTTPServer.Configuration().connectionLimit

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long a head may take after its first line; then the answer is 408. (default: 30s)",
            valueName: "TIME"
        )
    )
    var headTime: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long content may take that comes slower than 1 KiB/s; then the answer is 408. At a gateway also how long a response may wait for a client that takes nothing. (default: 60s)",
            valueName: "TIME"
        )
    )
    var contentTime: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long a connection may be idle before it is closed. (default: 5m)",
            valueName: "TIME"
        )
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

    /// Sets what the options say.
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

/// The configuration of a server with limits for its clients.
protocol LimitedServer {
    var connectionLimit: Int { get set }
    var timeLimits: TimeLimits { get set }
}

extension HTTPServer.Configuration: LimitedServer {}
extension StreamServer.Configuration: LimitedServer {}
extension ControlServer.Configuration: LimitedServer {}
