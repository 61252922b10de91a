public import Clocks
public import ControlServing
public import HTTPServing
public import LocatedYAML
import Locks
public import OriginScript

/// The mock server: a site with built-in pages, or the origin of the public suite, and namespaces for scenarios below
/// `/-/`.
///
/// The content of a request may be at most 16 MiB; more is answered with 413, unless
/// `Configuration.server.contentLimitBytes` is larger.
public final class MockServer: Sendable {
    private let server: HTTPServer
    /// The server with TLS; `nil` if there is none.
    private let tlsServer: HTTPServer?
    private let address: String
    private let configuration: Configuration
    /// The clock outside namespaces.
    public let clock: any TimeSource
    /// The machine's clock, for time limits of waiting callers.
    private let realClock = SystemClock()
    let handler: OriginHandler
    private let running = Lock(Running())

    /// Resources that `stop()` releases in addition to the servers.
    private struct Running {
        var isStarted = false
        var control: OriginControl?
    }

    /// Creates a server that does not listen yet; `clock` is the clock of all pages outside namespaces.
    public init(_ configuration: Configuration = Configuration(), clock: any TimeSource) {
        handler = OriginHandler(configuration, clock: clock)
        server = HTTPServer(configuration.server, handler: handler)
        tlsServer = Self.tlsServer(configuration, handler)
        address = configuration.server.address
        self.configuration = configuration
        self.clock = clock
    }

    /// The URL of its root without a slash at the end; with port 0 before `start()`.
    public var url: String { "http://\(host):\(port ?? 0)" }

    /// The TLS URL of its root without a slash at the end; `nil` without TLS.
    public var tlsURL: String? { tlsPort.map { "https://\(host):\($0)" } }

    /// The authority of the TLS port's certificate, in PEM; `nil` unless the configuration made it by `useTLS(_:)`.
    public var authorityPEM: String? { configuration.authorityPEM }

    /// The address as it is written in a URL.
    private var host: String { address.contains(":") ? "[\(address)]" : address }

    private static func tlsServer(_ configuration: Configuration, _ handler: OriginHandler) -> HTTPServer? {
        guard let tls = configuration.tls else { return nil }
        var second = configuration.server
        second.tls = tls
        second.port = configuration.tlsPort
        // The journal identifies connections by their numbers.
        second.connectionsBefore = 1 << 32
        return HTTPServer(second, handler: handler)
    }

    /// Replaces the site; every route starts from the beginning.
    public func replace(_ site: Site) {
        handler.site.replace(site)
    }

    /// Replaces the routes.
    public func replace(routes: [Route]) {
        handler.site.replace(Site(routes: routes))
    }

    /// Serves the site that files describe and follows changes of the files; `report` is called for changes, on any
    /// thread.
    ///
    /// Throws all current problems of the files. Later problems are passed to `report`, and the previous site continues
    /// to be served. Files that answers name are read from the configuration's folder.
    public func follow(
        _ source: SiteSource,
        report: @escaping @Sendable (SiteEvent) -> Void = { _ in }
    ) throws(YAMLProblems) {
        let follower = try SiteFollower(
            source,
            apply: { [weak handler] in handler?.site.replace($0) },
            report: report
        )
        handler.follow(follower)
        follower.start()
    }

    /// Waits until `count` exchanges satisfy a condition, or the time is over, and returns those that do.
    nonisolated(nonsending) func arrivals(
        _ count: Int,
        within time: Duration,
        where isMeant: (RecordedExchange) -> Bool
    ) async -> [RecordedExchange] {
        for await _ in handler.site.journal.readers.news(for: time, of: realClock) {
            let found = journal().filter(isMeant)
            if found.count >= count { return found }
        }
        return journal().filter(isMeant)
    }

    /// Returns the near misses of a request: the routes that almost match, each with the difference.
    public func nearMisses(for request: ServedRequest) -> [String] {
        handler.site.nearest(to: request).map(\.text)
    }

    /// Advances the clock and wakes its sleepers; throws if the clock cannot be advanced.
    public func advance(by duration: Duration) throws(FixedClockError) {
        guard let clock = clock as? any AdvanceableClock else { throw FixedClockError() }
        clock.advance(by: duration)
    }

    /// Releases the held responses of one route or, with `nil`, of all; returns their number.
    @discardableResult
    public func release(label: String? = nil) -> Int { handler.site.injector.release(label: label) }

    /// Replaces the faults of all pages and routes.
    public func use(faults: FaultPlan) {
        handler.site.use(faults)
    }

    /// Replaces the network; `nil` is this machine's own.
    public func use(network: NetworkSchedule?) {
        handler.site.use(network: network)
    }

    /// Starts to serve.
    ///
    /// Throws `ServerError.alreadyStarted` if it has been started and not stopped since.
    public func start() throws(ServerError) {
        try server.start()
        do {
            try tlsServer?.start()
        } catch {
            server.stop()
            throw error
        }
        running.withLock { $0.isStarted = true }
        handler.site.injector.start { [weak server, weak tlsServer] on in
            Self.refuse([server, tlsServer], on)
        }
    }

    /// Starts a control API on a port of 127.0.0.1, which stops with the server; call it once, after `start()`.
    ///
    /// Runs in namespaces have their own clocks, which follow the server's. The server's own clock can be moved if it
    /// is a `MovableClock` or a `VirtualClock`. Throws `ServerError.notStarted` unless the server runs, also if it is stopped
    /// meanwhile.
    public func startControl(
        _ control: ControlServer.Configuration = ControlServer.Configuration()
    ) throws(ServerError) -> OriginControl {
        let made = OriginControl(
            control,
            handler: handler,
            url: url,
            journalSize: configuration.journalSize,
            clock
        )
        try made.start()
        let isRunning = running.withLock { running in
            if running.isStarted { running.control = made }
            return running.isStarted
        }
        guard isRunning else {
            made.stop()
            throw .notStarted
        }
        return made
    }

    /// The TLS port; `nil` before `start()` and without TLS.
    public var tlsPort: Int? { tlsServer?.port }

    /// The port it listens on; `nil` before `start()`.
    public var port: Int? { server.port }

    /// Whether the listening socket was closed externally.
    public var isLost: Bool { server.isLost || tlsServer?.isLost == true }

    /// Number of connections accepted so far.
    public var acceptedConnections: UInt64 {
        server.acceptedConnections + (tlsServer?.acceptedConnections ?? 0)
    }

    /// Number of open connections.
    public var openConnections: Int { server.openConnections + (tlsServer?.openConnections ?? 0) }

    /// Stops every exchange and closes every connection, which blocks; may be repeated.
    public func stop() {
        handler.site.injector.stop()
        let control = running.withLock { running in
            defer { running = Running() }
            return running.control
        }
        control?.stop()
        handler.follow(nil)
        server.stop()
        tlsServer?.stop()
    }

    /// Refuses new connections and closes open ones; the port stays reserved.
    public func stopListening() throws(ServerError) {
        try server.stopListening()
        try tlsServer?.stopListening()
    }

    /// Accepts connections again, on the same port.
    public func startListening() throws(ServerError) {
        try server.startListening()
        try tlsServer?.startListening()
    }

    /// Opens a namespace whose script answers below `/-/TOKEN`; it replaces an earlier one with the same token.
    ///
    /// `wallSeconds` is the reference time of `fixed-date` and `last-modified` offsets.
    package func open(
        token: String,
        routes: [Route],
        clock: any TimeSource,
        startedAt wallSeconds: Double,
        faults: FaultPlan = FaultPlan()
    ) -> OriginNamespace {
        let injector = FaultInjector(faults, clock: clock)
        var setup = OriginNamespace.Setup(injector: injector, contents: handler.contents)
        (setup.base, setup.site.routes, setup.pages) = ("/-/" + token, routes, nil)
        setup.startedAt = wallSeconds
        setup.other = { [server, tlsServer] in
            let scheme = tlsServer == nil ? "http" : "https"
            return "\(scheme)://localhost:\((tlsServer ?? server).port ?? 0)/-/\(token)"
        }
        setup.onClose = { [handler] in handler.remove(token, $0) }
        injector.start { [server, tlsServer] on in Self.refuse([server, tlsServer], on) }
        let namespace = OriginNamespace(setup)
        handler.add(token, namespace)
        return namespace
    }

    /// Opens a test of the public suite below `/test/ID`, like a `PUT` to `/config/ID`; it replaces an earlier one with
    /// the same id.
    ///
    /// `clock` is the test's own. Without `Configuration.suite` it is reached only through the namespace.
    public func open(test id: String, elements: [ElementScript], clock: any TimeSource) -> OriginNamespace {
        handler.suite.open(id: id, elements: elements, clock: clock)
    }

    /// Returns the record of a test of the public suite; empty if there is no such test.
    public func state(of test: String) -> [StateEntry] { handler.suite.state(of: test) }

    /// Returns the exchanges outside namespaces, oldest first.
    public func journal() -> [RecordedExchange] { handler.site.record() }

    private static func refuse(_ servers: [HTTPServer?], _ on: Bool) {
        for server in servers.compactMap(\.self) {
            // If the system has no socket for the change, clients continue to be served, or refused.
            do throws(ServerError) {
                if on { try server.stopListening() } else { try server.startListening() }
            } catch {}
        }
    }
}
