public import Clocks
public import HTTPServing
import Locks
public import OriginScript

/// The mock origin: namespaces for scenarios below `/-/`, and pages for people.
public final class MockServer: Sendable {
    /// What a mock server needs to know before it starts.
    public struct Configuration: Sendable {
        /// Address, port, threads and limits; by default any free port of 127.0.0.1.
        public var server = HTTPServer.Configuration()
        /// How many exchanges outside namespaces are kept; default 1,000.
        public var journalSize = 1000
        /// Folder of fixture files that answers may name besides the embedded images; `nil`, the default, is none.
        public var fixtureFolder: String?
        /// Settings that a page answers with unless the query says otherwise, by path; default none.
        public var pages: [String: [PageSetting]] = [:]

        /// What goes wrong with every page, and by which seed it is drawn; default nothing.
        public var faults = FaultPlan(scope: "serve")

        /// Creates the default configuration.
        public init() {}

        /// Creates the default configuration for a port; 0 is any free one.
        public init(port: UInt16) {
            server.port = port
        }
    }
    private let server: HTTPServer
    private let handler: OriginHandler

    /// Creates a server that does not listen yet; `clock` is the one of all pages outside namespaces.
    public init(_ configuration: Configuration = Configuration(), clock: any TimeSource) {
        handler = OriginHandler(configuration, clock: clock)
        server = HTTPServer(configuration.server, handler: handler)
    }

    /// Starts to serve; may be called once.
    public func start() throws(ServerError) {
        try server.start()
    }

    /// The port it listens on; 0 before `start()`.
    public var port: UInt16 { server.port }

    /// Number of connections accepted so far.
    public var acceptedConnections: UInt64 { server.acceptedConnections }

    /// Stops every exchange and closes every connection; may be repeated.
    public func stop() {
        server.stop()
    }

    /// Refuses connections from now on and cuts those that are open.
    public func stopListening() {
        server.stopListening()
    }

    /// Accepts connections again, on the same port.
    public func startListening() throws(ServerError) {
        try server.startListening()
    }

    /// Opens a namespace whose script answers below `/-/TOKEN`; an earlier one of the same token is replaced.
    ///
    /// `wallSeconds` is the moment from which `fixed-date` and `last-modified` offsets count.
    public func open(
        token: String,
        routes: [Route],
        clock: any TimeSource,
        startedAt wallSeconds: Double,
        faults: FaultPlan = FaultPlan()
    ) -> OriginNamespace {
        let namespace = OriginNamespace(
            token: token,
            routes: routes,
            clock: clock,
            startedAt: wallSeconds,
            faults: faults,
            contents: handler.contents,
            other: { [server] in "http://localhost:\(server.port)/-/\(token)" },
            refuse: { [server] on in Self.refuse(server, on) },
            onClose: { [handler] in handler.remove(token) }
        )
        handler.add(token, namespace)
        return namespace
    }

    /// Exchanges outside namespaces, the oldest first.
    public func journal() -> [JournalEntry] { handler.journal.entries() }

    private static func refuse(_ server: HTTPServer, _ on: Bool) {
        if on { return server.stopListening() }
        // The port was ours a moment ago; if somebody took it meanwhile, clients go on being refused.
        do { try server.startListening() } catch {}
    }
}
