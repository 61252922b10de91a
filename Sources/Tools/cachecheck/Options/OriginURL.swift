import ArgumentParser
import CacheClient
import FaultProxy

/// The URL of a server, as given on the command line: a scheme, a host and perhaps a port, without a path.
struct OriginURL: ExpressibleByArgument {
    /// The expected form, for messages about a wrong text.
    static let expected = "http://host:port or https://host:port without a path"
    let server: Upstream

    init?(argument: String) {
        guard ClientRequest(url: argument).problem == nil,
            let server = Upstream(url: argument)
        else { return nil }
        self.server = server
    }

    /// Scheme and authority.
    var text: String { (server.isTLS ? "https://" : "http://") + server.authority }
}
