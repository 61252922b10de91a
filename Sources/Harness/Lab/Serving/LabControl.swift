import CacheSemantics
package import ControlServing
package import HTTPServing
import JSON
import LocatedYAML

/// The page of a lab and the API that it calls, on a port of 127.0.0.1.
///
/// The page brings the API's token with it. It is only sent to requests that name this server as their host, so that
/// no other site's page can read it: the browser's same-origin policy denies it to other origins, and a host name that
/// another party directs to 127.0.0.1 is refused.
package final class LabControl: Sendable {
    private let server: ControlServer

    /// Creates an API that does not listen yet.
    package init(
        of lab: CachingLab,
        lessons: [Lesson],
        _ configuration: ControlServer.Configuration = ControlServer.Configuration()
    ) {
        let operations = LabOperations(lab: lab, lessons: lessons, token: configuration.token)
        server = ControlServer(configuration, Self.description, operations: operations.all)
    }

    private static let description = ControlServer.Description(
        title: "CacheCheck lab",
        summary: "An origin, a gateway and two browsers on one clock, whose caches explain what they do.",
        schemas: LabOperations.schemas
    )

    /// The URL of the page without a slash at the end.
    package var url: String { server.url }

    /// The port it listens on; 0 while it does not.
    package var port: Int? { server.port }

    /// The token that callers of the API must present.
    package var token: String { server.token.text }

    /// Starts to serve; can be called once.
    package func start() throws(ServerError) { try server.start() }

    /// Closes its connections; the lab continues.
    package func stop() { server.stop() }
}
