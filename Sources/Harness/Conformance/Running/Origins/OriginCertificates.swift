import CacheClient
import Certificates
import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import Scenarios

/// The certificate authority of one run, created for the first scenario that needs it, and the trust settings of
/// clients.
final class OriginCertificates: Sendable {
    private let made = Lock<CertificateAuthority?>(nil)
    /// The settings of servers for each case, kept because creating a key and a certificate takes longer than most
    /// scenarios.
    private let known = Lock<[TLSCase: TLSSettings]>([:])
    private let clients = Lock<[TrustSettings.Identity: TrustPolicy.ClientIdentity]>([:])
    /// libcurl and GnuTLS compare validity periods with the machine's clock, not with a scenario's.
    private let clock = SystemClock()
    static let password = "of this run"

    /// Returns the settings of a server for one case; the same for all scenarios, which share servers.
    func settings(_ tlsCase: TLSCase) throws(SubjectError) -> TLSSettings {
        if let settings = known.withLock({ $0[tlsCase] }) { return settings }
        let settings = try explained { () throws(CertificateError) in
            try tlsCase.settings(of: authority(), now: clock.timeSinceEpoch)
        }
        return known.withLock { $0.keepFirst(settings, for: tlsCase) }
    }

    /// Returns the trust policy of a scenario's client for an origin with this identity.
    func policy(_ settings: TrustSettings, at origin: Identity) throws(SubjectError) -> TrustPolicy {
        try explained { () throws(CertificateError) in
            let authority = try authority()
            var policy = TrustPolicy()
            policy.verifiesChain = settings.verifiesChain
            policy.checksHostName = settings.checksHostName
            policy.authorities =
                switch settings.authority {
                case .origin: try Self.bytes(authority.identity.certificate)
                case .certificate: try Self.bytes(origin.certificate)
                case .system: nil
                }
            let pinned = (origin.certificate, authority.identity.certificate)
            for certificate in Self.pick(settings.publicKey, pinned) {
                policy.publicKeyPins.append(try certificate.publicKeyDigest())
            }
            for certificate in Self.pick(settings.certificate, pinned) {
                if let pin = PinnedCertificate(pem: try certificate.pem()) {
                    policy.certificatePins.append(pin)
                }
            }
            policy.identity = try knownIdentity(settings.identity, authority)
            return policy
        }
    }

    private func authority() throws(CertificateError) -> CertificateAuthority {
        if let known = made.withLock({ $0 }) { return known }
        let new = try CertificateAuthority(now: clock.timeSinceEpoch)
        return made.withLock { made in
            made = made ?? new
            return made ?? new
        }
    }

    private static func pick(
        _ pin: TrustSettings.Pin?,
        _ certificates: (origin: Certificate, other: Certificate)
    ) -> [Certificate] {
        switch pin {
        case nil: []
        case .origin: [certificates.origin]
        case .other: [certificates.other]
        case .either: [certificates.other, certificates.origin]
        }
    }

    private func knownIdentity(
        _ kind: TrustSettings.Identity,
        _ authority: CertificateAuthority
    ) throws(CertificateError) -> TrustPolicy.ClientIdentity? {
        if let known = clients.withLock({ $0[kind] }) { return known }
        guard let made = try identity(kind, authority) else { return nil }
        return clients.withLock { $0.keepFirst(made, for: kind) }
    }

    private func identity(
        _ kind: TrustSettings.Identity,
        _ authority: CertificateAuthority
    ) throws(CertificateError) -> TrustPolicy.ClientIdentity? {
        let now = clock.timeSinceEpoch
        switch kind {
        case .none: return nil
        case .pem: return try Self.pem(authority.issueClient(name: Self.client, now: now))
        case .pkcs12:
            let client = try authority.issueClient(name: Self.client, now: now)
            let bundle = try client.pkcs12(password: Self.password, encryptsKey: false)
            return .pkcs12(.bytes(bundle), password: Self.password)
        case .unknownAuthority:
            let other = try CertificateAuthority(name: "Unknown authority", now: now)
            return try Self.pem(other.issueClient(name: Self.client, now: now))
        case .expired:
            let longAgo = now - CertificateAuthority.day * 365
            return try Self.pem(authority.issueClient(name: Self.client, now: longAgo))
        }
    }

    /// The common name of every client.
    private static let client = "client"

    private static func pem(_ identity: Identity) throws(CertificateError) -> TrustPolicy.ClientIdentity {
        .pem(certificate: try bytes(identity.certificate), key: .bytes(Array(try identity.key.pem().utf8)))
    }

    private static func bytes(_ certificate: Certificate) throws(CertificateError) -> TrustPolicy.Material {
        .bytes(Array(try certificate.pem().utf8))
    }

    private func explained<Value>(
        _ body: () throws(CertificateError) -> Value
    ) throws(SubjectError) -> Value {
        do throws(CertificateError) {
            return try body()
        } catch {
            throw SubjectError("certificates cannot be created: \(error)")
        }
    }
}

extension Dictionary {
    /// Returns the value of a key, which is `new` unless another thread has set one.
    mutating func keepFirst(_ new: Value, for key: Key) -> Value {
        if let known = self[key] { return known }
        self[key] = new
        return new
    }
}
