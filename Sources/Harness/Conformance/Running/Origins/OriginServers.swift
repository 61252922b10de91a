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

        /// The port that clients connect to.
        var port: UInt16 { identity == nil ? server.port : server.tlsPort }
    }
    private let options: RunOptions
    private let certificates: OriginCertificates
    private let plain: MockServer
    private let secure = Lock<[TLSCase: MockServer]>([:])

    /// Starts the server that scenarios share; TLS servers are started when a scenario needs them.
    init(_ options: RunOptions, _ certificates: OriginCertificates) throws(ServerError) {
        self.options = options
        self.certificates = certificates
        plain = try Self.start(options, port: options.originServer.port)
    }

    /// Returns the place of a scenario's origin; the caller stops a server that is the scenario's own.
    func place(for scenario: Scenario) throws(SubjectError) -> Place {
        var tls: TLSSettings?
        if let tlsCase = scenario.tls { tls = try certificates.settings(tlsCase) }
        do throws(ServerError) {
            if options.transport == .loopback, scenario.needsOwnServer {
                return Place(server: try Self.start(options, tls), identity: tls?.identity, isOwn: true)
            }
            guard let tlsCase = scenario.tls, let tls else { return Place(server: plain) }
            return Place(server: try shared(tlsCase, tls), identity: tls.identity)
        } catch {
            throw SubjectError("the origin cannot be started: \(error)")
        }
    }

    func stop() {
        plain.stop()
        for server in secure.withLock({ Array($0.values) }) { server.stop() }
    }

    private func shared(_ tlsCase: TLSCase, _ tls: TLSSettings) throws(ServerError) -> MockServer {
        if let server = secure.withLock({ $0[tlsCase] }) { return server }
        let new = try Self.start(options, tls)
        let kept = secure.withLock { $0.keepFirst(new, for: tlsCase) }
        // Another scenario has started one meanwhile.
        if kept !== new { new.stop() }
        return kept
    }

    private static func start(
        _ options: RunOptions,
        _ tls: TLSSettings? = nil,
        port: UInt16 = 0
    ) throws(ServerError) -> MockServer {
        var configuration = MockServer.Configuration(port: port)
        configuration.tls = tls
        configuration.fixtureFolder = options.fixtureFolder
        let server = MockServer(configuration, clock: SystemClock())
        if options.transport == .loopback { try server.start() }
        return server
    }
}
