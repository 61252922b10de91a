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
        let day = CertificateAuthority.day
        let validity =
            switch self {
            case .expired: (now - day * 30)...(now - day)
            case .notYetValid: (now + day)...(now + day * 30)
            default: (now - day)...(now + day * 90)
            }
        let name = "CacheCheck \(rawValue)"
        if self == .wrongHost {
            return CertificateTerms(
                name: Self.otherHost,
                hosts: [Self.otherHost],
                purpose: .server,
                validity: validity
            )
        }
        return .localServer(name: name, validity: validity)
    }
}
