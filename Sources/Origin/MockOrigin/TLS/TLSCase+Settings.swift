public import Certificates
public import HTTPServing
public import OriginScript

extension TLSCase {
    /// Creates the settings of a server for this case; `now` is in wall seconds.
    public func settings(
        of authority: CertificateAuthority,
        now: Double
    ) throws(CertificateError) -> TLSSettings {
        var settings = TLSSettings(identity: try identity(of: authority, now: Int(now)))
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
        now: Int
    ) throws(CertificateError) -> Identity {
        let terms = terms(now: now)
        switch self {
        case .selfSigned:
            let key = try PrivateKey()
            return Identity(certificate: try Certificate(terms, of: key), key: key)
        case .unknownAuthority:
            let other = try CertificateAuthority(name: "Unknown authority", now: Double(now))
            return try other.issue(terms)
        case .pinnedKey: return try authority.issue(terms, key: authority.pinnedKey)
        default: return try authority.issue(terms)
        }
    }

    private func terms(now: Int) -> CertificateTerms {
        let day = CertificateAuthority.day
        let validity =
            switch self {
            case .expired: (now - 30 * day)...(now - day)
            case .notYetValid: (now + day)...(now + 30 * day)
            default: (now - day)...(now + 90 * day)
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
