public import Clocks
public import HTTPServing
public import PublicSuite

/// An origin that speaks the wire protocol of the public suite: `/config`, `/test` and `/state`.
///
/// A test that nobody has asked about for an hour is forgotten.
public final class SuiteServer: Sendable {
    private let server: HTTPServer
    private let handler: SuiteHandler

    /// Creates a server that does not listen yet.
    public init(
        _ configuration: HTTPServer.Configuration = HTTPServer.Configuration(),
        dialect: SuiteDialect = .compatible,
        clock: any TimeSource
    ) {
        handler = SuiteHandler(dialect: dialect, clock: clock)
        server = HTTPServer(configuration, handler: handler)
    }

    /// Starts to serve; may be called once.
    public func start() throws(ServerError) { try server.start() }

    /// The port it listens on; 0 before `start()`.
    public var port: UInt16 { server.port }

    /// Whether it takes no more connections although nobody has told it so: its socket was shut down by another hand.
    public var isLost: Bool { server.isLost }

    /// Stops every exchange and closes every connection; may be repeated.
    public func stop() { server.stop() }

    /// Opens a test below `/test/ID`, as a `PUT` to `/config/ID` would; an earlier one of the same id is replaced.
    ///
    /// `clock` is the test's own.
    public func open(id: String, elements: [ElementScript], clock: any TimeSource) -> OriginNamespace {
        handler.open(id: id, elements: elements, clock: clock)
    }

    /// Returns what a test has recorded; empty where there is no such test.
    public func state(of id: String) -> [StateEntry] { handler.state(of: id) }
}
