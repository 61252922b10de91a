import CacheClient
import Certificates
import Clocks
import HTTPServing
import MockOrigin
import OriginScript

/// A mock server with TLS and its own authority.
struct TLSFixture {
    let authority: CertificateAuthority
    let server: MockServer
    let identity: Identity
    static let now = SystemClock().timeSinceEpoch

    init(
        _ tlsCase: TLSCase = .good,
        clock: any TimeSource,
        _ change: (inout MockServer.Configuration) -> Void = { _ in }
    ) throws {
        authority = try CertificateAuthority(now: Self.now)
        var configuration = MockServer.Configuration()
        let settings = try tlsCase.settings(of: authority, now: Self.now)
        identity = settings.identity
        configuration.tls = settings
        change(&configuration)
        server = MockServer(configuration, clock: clock)
        try server.start()
    }

    /// The TLS URL of the root.
    var url: String { server.tlsURL ?? "" }

    /// Returns a script that gives every request the same answer.
    func open(_ answer: OriginScript.Answer, _ clock: VirtualClock) -> OriginNamespace {
        let route = Route(label: "answer", path: .any, answers: [answer])
        return server.open(token: "t", routes: [route], clock: clock, startedAt: startOfTime)
    }

    /// Returns a policy that trusts the fixture's authority.
    func trust(_ change: (inout TrustPolicy) -> Void = { _ in }) throws -> TrustPolicy {
        var trust = TrustPolicy()
        trust.authorities = .bytes(Array(try authority.identity.certificate.pem().utf8))
        change(&trust)
        return trust
    }
}
