import CacheSemantics
public import ControlServing
public import HTTPServing
import JSON
import LocatedYAML

/// The page of a lab and the API that it calls, on a port of 127.0.0.1.
///
/// The page brings the API's token with it. It is only sent to requests that name this server as their host, so that
/// no other site's page can read it: the browser's same-origin policy denies it to other origins, and a host name that
/// another party directs to 127.0.0.1 is refused.
public final class LabControl: Sendable {
    private let server: ControlServer

    /// Creates an API that does not listen yet.
    public init(
        of lab: CachingLab,
        lessons: [Lesson],
        _ configuration: ControlServer.Configuration = ControlServer.Configuration()
    ) {
        let operations = LabOperations(lab: lab, lessons: lessons, token: configuration.token)
        server = ControlServer(
            configuration,
            ControlServer.Description(
                title: "CacheCheck lab",
                summary:
                    "An origin, a gateway and two browsers on one clock, whose caches explain what they do.",
                schemas: LabOperations.schemas
            ),
            operations: operations.all
        )
    }

    /// The URL of the page without a slash at the end.
    public var url: String { server.url }

    /// The port it listens on; 0 while it does not.
    public var port: UInt16 { server.port }

    /// The token that callers of the API must present.
    public var token: String { server.token.text }

    /// Starts to serve; can be called once.
    public func start() throws(ServerError) { try server.start() }

    /// Closes its connections; the lab continues.
    public func stop() { server.stop() }
}
