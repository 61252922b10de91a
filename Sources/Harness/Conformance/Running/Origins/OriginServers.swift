import Certificates
import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import Scenarios

/// The servers of one run: one that scenarios share, one for each kind of TLS, and one for each scenario whose origin
/// refuses or breaks connections.
final class OriginServers: Sendable {
    /// The location of a scenario's origin.
    struct Place: Sendable {
        let server: MockServer
        /// The identity in the server's certificate; `nil` if it uses plain HTTP.
        var identity: Identity?
        /// Whether only one scenario uses the server.
        var isOwn = false

        /// The port that clients connect to; 0 if the server does not listen, because it is asked directly.
        var port: Int { (identity == nil ? server.port : server.tlsPort) ?? 0 }
    }
    private let options: RunOptions
    private let certificates: OriginCertificates
    /// The server that scenarios and tests of the public suite share, without TLS.
    let shared: MockServer
    private let secure = Lock<[TLSCase: MockServer]>([:])

    /// Starts the server that scenarios share; TLS servers are started when a scenario needs them.
    ///
    /// `suite` is how it serves the public suite's tests; `nil` if there are none.
    init(
        _ options: RunOptions,
        _ certificates: OriginCertificates,
        suite: SuiteDialect? = nil
    ) throws(ServerError) {
        self.options = options
        self.certificates = certificates
        var configuration = Self.configuration(options)
        (configuration.server, configuration.suite) = (options.originServer, suite)
        shared = try Self.start(configuration, options)
    }

    /// Returns the place of a scenario's origin; the caller stops a server that is the scenario's own.
    func place(for scenario: Scenario) throws(SubjectError) -> Place {
        var tls: TLSSettings?
        if let tlsCase = scenario.tls { tls = try certificates.settings(tlsCase) }
        do throws(ServerError) {
            if options.transport == .loopback, scenario.needsOwnServer {
                let server = try Self.start(Self.configuration(options, tls), options)
                return Place(server: server, identity: tls?.identity, isOwn: true)
            }
            guard let tlsCase = scenario.tls, let tls else { return Place(server: shared) }
            return Place(server: try secure(tlsCase, tls), identity: tls.identity)
        } catch {
            throw SubjectError("the origin cannot be started: \(error)")
        }
    }

    func stop() {
        shared.stop()
        for server in secure.withLock({ Array($0.values) }) { server.stop() }
    }

    private func secure(_ tlsCase: TLSCase, _ tls: TLSSettings) throws(ServerError) -> MockServer {
        if let server = secure.withLock({ $0[tlsCase] }) { return server }
        let new = try Self.start(Self.configuration(options, tls), options)
        let kept = secure.withLock { $0.keepFirst(new, for: tlsCase) }
        // Another scenario has started one meanwhile.
        if kept !== new { new.stop() }
        return kept
    }

    private static func configuration(
        _ options: RunOptions,
        _ tls: TLSSettings? = nil
    ) -> MockServer.Configuration {
        var configuration = MockServer.Configuration()
        configuration.tls = tls
        configuration.fixtureFolder = options.fixtureFolder
        return configuration
    }

    private static func start(
        _ configuration: MockServer.Configuration,
        _ options: RunOptions
    ) throws(ServerError) -> MockServer {
        let server = MockServer(configuration, clock: SystemClock())
        if options.transport == .loopback { try server.start() }
        return server
    }
}
