public import Certificates
public import HTTPServing
public import OriginScript

extension TLSCase {
    /// Creates the settings of a server for this case; `now` is the time since 1970-01-01T00:00:00Z.
    public func settings(
        of authority: CertificateAuthority,
        now: Duration
    ) throws(CertificateError) -> TLSSettings {
        var settings = TLSSettings(identity: try identity(of: authority, now: now))
        settings.clientCertificates =
            switch self {
            case .clientRequired: .required(authority: authority.identity.certificate)
            case .clientAsked: .asked(authority: authority.identity.certificate)
            default: .ignored
            }
        return settings
    }

    private func identity(
        of authority: CertificateAuthority,
        now: Duration
    ) throws(CertificateError) -> Identity {
        let terms = terms(now: now)
        switch self {
        case .selfSigned:
            let key = try PrivateKey()
            return Identity(certificate: try Certificate(terms, of: key), key: key)
        case .unknownAuthority:
            let other = try CertificateAuthority(name: "Unknown authority", now: now)
            return try other.issue(terms)
        case .pinnedKey: return try authority.issue(terms, key: authority.pinnedKey)
        default: return try authority.issue(terms)
        }
    }

    private func terms(now: Duration) -> CertificateTerms {
        let validity = validity(now: now)
        guard self == .wrongHost else {
            return .localServer(name: "CacheCheck \(rawValue)", validity: validity)
        }
        let host = Self.otherHost
        return CertificateTerms(name: host, hosts: [host], purpose: .server, validity: validity)
    }

    private func validity(now: Duration) -> ClosedRange<Duration> {
        let day = CertificateAuthority.day
        return switch self {
        case .expired: (now - day * 30)...(now - day)
        case .notYetValid: (now + day)...(now + day * 30)
        default: (now - day)...(now + day * 90)
        }
    }
}
