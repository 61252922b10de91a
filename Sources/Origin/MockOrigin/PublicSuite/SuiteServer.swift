public import Clocks
public import HTTPServing
public import OriginScript

/// An origin that speaks the wire protocol of the public suite: `/config`, `/test` and `/state`.
///
/// Tests without a request for an hour are removed.
public final class SuiteServer: Sendable {
    private let server: HTTPServer
    /// The server with TLS; `nil` if there is none.
    private let tlsServer: HTTPServer?
    private let handler: SuiteHandler

    /// Creates a server that does not listen yet.
    ///
    /// `tls` contains the settings of a second port with TLS, `tlsPort` its number; 0, the default, is any free one.
    public init(
        _ configuration: HTTPServer.Configuration = HTTPServer.Configuration(),
        dialect: SuiteDialect = .compatible,
        tls: TLSSettings? = nil,
        tlsPort: UInt16 = 0,
        clock: any TimeSource
    ) {
        handler = SuiteHandler(dialect: dialect, clock: clock)
        server = HTTPServer(configuration, handler: handler)
        var second = configuration
        second.tls = tls
        second.port = tlsPort
        // Connections are identified by their numbers.
        second.connectionsBefore = 1 << 32
        tlsServer = tls == nil ? nil : HTTPServer(second, handler: handler)
    }

    /// Starts to serve; may be called once.
    public func start() throws(ServerError) {
        try server.start()
        do {
            try tlsServer?.start()
        } catch {
            server.stop()
            throw error
        }
    }

    /// The TLS port; 0 before `start()` and without TLS.
    public var tlsPort: UInt16 { tlsServer?.port ?? 0 }

    /// The port it listens on; 0 before `start()`.
    public var port: UInt16 { server.port }

    /// Whether the listening socket was closed externally.
    public var isLost: Bool { server.isLost || tlsServer?.isLost == true }

    /// Stops every exchange and closes every connection; may be repeated.
    public func stop() {
        server.stop()
        tlsServer?.stop()
    }

    /// Opens a test below `/test/ID`, like a `PUT` to `/config/ID`; it replaces an earlier one with the same id.
    ///
    /// `clock` is the test's own.
    public func open(id: String, elements: [ElementScript], clock: any TimeSource) -> OriginNamespace {
        handler.open(id: id, elements: elements, clock: clock)
    }

    /// Returns the record of a test; empty if there is no such test.
    public func state(of id: String) -> [StateEntry] { handler.state(of: id) }
}
