import CacheClient
import Certificates
import Clocks
import HTTPTypes
import MockOrigin
import OriginScript
import Testing

@Suite("The public suite's origin over TLS")
struct SuiteServerTLSTests {
    @Test("A test that is configured over TLS is served over TLS and plain HTTP alike")
    func both() async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let authority = try CertificateAuthority(now: TLSFixture.now)
        let settings = try TLSCase.good.settings(of: authority, now: TLSFixture.now)
        var configuration = MockServer.Configuration()
        (configuration.suite, configuration.tls) = (.compatible, settings)
        let server = MockServer(configuration, clock: clock)
        try server.start()
        defer { server.stop() }
        var trust = TrustPolicy()
        trust.authorities = .bytes(Array(try authority.identity.certificate.pem().utf8))
        let test = try TestClient(clock: clock, trust: trust)
        let secure = try #require(server.tlsURL)
        let script = Array("[{\"response_body\":\"one\"},{\"response_body\":\"one\"}]".utf8)
        let put = ClientRequest(url: secure + "/config/a", method: .put, body: .bytes(script))
        #expect(try await test.client.fetch(put).response.status.code == 201)
        for base in [secure, server.url] {
            #expect(try await test.client.fetch(ClientRequest(url: base + "/test/a")).text == "one")
        }
    }
}
