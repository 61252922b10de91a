import Clocks
import ControlServing
import HTTPServing

/// The control API of a mock server: its routes, clock, journal, faults and network.
///
/// A request with the server's token is about the whole server; one with the token of a namespace is about that
/// run.
public final class OriginControl: Sendable {
    private let server: ControlServer

    init(
        _ configuration: ControlServer.Configuration,
        handler: OriginHandler,
        url: String,
        journalSize: Int,
        _ clock: any TimeSource
    ) {
        let runs = RunRegistry(clock: clock) { [weak handler] in handler?.closeRun($0) }
        let control = ControlOperations(
            handler: handler,
            runs: runs,
            clock: clock,
            url: url,
            journalSize: journalSize
        )
        server = ControlServer(
            configuration,
            ControlServer.Description(
                title: "CacheCheck mock origin",
                summary:
                    "Routes, clock, journal, faults and network of the origin. With the token of a "
                    + "namespace, every operation applies to that namespace, otherwise to the whole server.",
                schemas: ControlSchemas.all
            ),
            operations: control.operations,
            callers: { runs.name(of: $0) }
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
