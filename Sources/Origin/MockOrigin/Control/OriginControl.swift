import Clocks
import ControlServing
import HTTPServing

/// The control API of a mock server: its routes, clock, journal, faults and network.
///
/// A request with the server's token is about the server's own routes; one with the token of a namespace is about that
/// namespace alone.
public final class OriginControl: Sendable {
    private let server: ControlServer

    init(
        _ configuration: ControlServer.Configuration,
        handler: OriginHandler,
        url: String,
        journalSize: Int,
        _ clock: any TimeSource
    ) {
        // A test that moves the server's clock must not end the namespaces of others.
        let unmoved = (clock as? MovableClock)?.followed ?? clock
        let runs = RunRegistry(clock: unmoved) { [weak handler] in handler?.closeRun($0) }
        let control = ControlOperations(
            handler: handler,
            runs: runs,
            clock: clock,
            url: url,
            journalSize: journalSize
        )
        server = ControlServer(
            configuration,
            Self.description,
            operations: control.operations,
            callers: { runs.name(of: $0) }
        )
    }

    private static var description: ControlServer.Description {
        ControlServer.Description(
            title: "CacheCheck mock origin",
            summary:
                "Routes, clock, journal, faults and network of the origin. With the token of a "
                + "namespace, every operation applies to that namespace alone, otherwise to the server's own "
                + "routes, and to no namespace.",
            schemas: ControlSchemas.all
        )
    }

    /// The URL of the API without a slash at the end.
    public var url: String { server.url }

    /// The port it listens on; `nil` after the server has stopped.
    public var port: Int? { server.port }

    /// The server's own token.
    public var token: String { server.token.text }

    func start() throws(ServerError) { try server.start() }

    /// Closes the API's connections; the mock server continues.
    public func stop() { server.stop() }
}
