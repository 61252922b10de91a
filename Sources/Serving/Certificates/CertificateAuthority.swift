/// A private certification authority for tests.
public struct CertificateAuthority: Sendable {
    /// Its certificate, signed by itself, and its key.
    public let identity: Identity
    /// A permanent key, whose public key can be pinned.
    public let pinnedKey: PrivateKey

    /// Creates an authority in memory, valid for ten years from a day before `now`, the time since 1970-01-01T00:00:00Z.
    public init(name: String = "CacheCheck test authority", now: Duration) throws(CertificateError) {
        let key = try PrivateKey()
        let begin = now - Self.day
        let terms = CertificateTerms(
            name: name,
            purpose: .authority,
            validity: begin...(begin + Self.day * 3650)
        )
        identity = Identity(certificate: try Certificate(terms, of: key), key: key)
        pinnedKey = try PrivateKey()
    }

    init(identity: Identity, pinnedKey: PrivateKey) {
        self.identity = identity
        self.pinnedKey = pinnedKey
    }

    /// Returns a certificate signed by the authority, for a new key or the given one.
    public func issue(_ terms: CertificateTerms, key: PrivateKey? = nil) throws(CertificateError) -> Identity
    {
        let own: PrivateKey
        if let key { own = key } else { own = try PrivateKey() }
        let certificate = try Certificate(terms, of: own, signedBy: (identity.certificate, identity.key))
        return Identity(certificate: certificate, key: own)
    }

    /// Returns a client certificate, valid for 90 days from a day before `now`, the time since 1970-01-01T00:00:00Z.
    public func issueClient(name: String, now: Duration) throws(CertificateError) -> Identity {
        let begin = now - Self.day
        return try issue(
            CertificateTerms(name: name, purpose: .client, validity: begin...(begin + Self.day * 90))
        )
    }

    /// A day.
    package static let day = Duration.seconds(86_400)
}
