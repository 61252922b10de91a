import Addresses
import Certificates
import Clocks
import HTTPServing
import Locks

/// Makes and keeps the certificates of the hosts whose TLS a forward proxy terminates.
final class InterceptionCertificates: Sendable {
    /// Hosts above which all are forgotten.
    private static let maximumCertificates = 1000
    private let authority: CertificateAuthority
    private let clock: any TimeSource
    private let known = Lock<[String: TLSCredentials]>([:])

    init(_ authority: CertificateAuthority, clock: any TimeSource) {
        (self.authority, self.clock) = (authority, clock)
    }

    /// Returns the credentials for a host name or a numeric address.
    func credentials(for host: String) throws(ServerError) -> TLSCredentials {
        let host = host.lowercased()
        if let known = known.withLock({ $0[host] }) { return known }
        let made = try make(host)
        known.withLock { known in
            if known.count >= Self.maximumCertificates { known = [:] }
            known[host] = made
        }
        return made
    }

    private func make(_ host: String) throws(ServerError) -> TLSCredentials {
        let day = CertificateAuthority.day
        let now = clock.timeSinceEpoch
        let address = IPAddress(host)
        let terms = CertificateTerms(
            name: "CacheCheck interception",
            hosts: address == nil ? [host] : [],
            addresses: address.map { [$0.bytes] } ?? [],
            purpose: .server,
            validity: (now - day)...(now + day * 90)
        )
        let identity: Identity
        do throws(CertificateError) {
            identity = try authority.issue(terms)
        } catch {
            throw .tls(reason: "certificate for \(host): \(error)")
        }
        return try TLSCredentials(TLSSettings(identity: identity))
    }
}
