/// A private certification authority for tests.
public struct CertificateAuthority: Sendable {
    /// Its certificate, signed by itself, and its key.
    public let identity: Identity
    /// A permanent key, whose public key can be pinned.
    public let pinnedKey: PrivateKey

    /// Creates an authority in memory, valid for ten years from a day before `now`, in wall seconds.
    public init(name: String = "CacheCheck test authority", now: Double) throws(CertificateError) {
        let key = try PrivateKey()
        let begin = Int(now) - Self.day
        let terms = CertificateTerms(
            name: name,
            purpose: .authority,
            validity: begin...(begin + 3650 * Self.day)
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

    /// Returns a client certificate, valid for 90 days from a day before `now`.
    public func issueClient(name: String, now: Double) throws(CertificateError) -> Identity {
        let begin = Int(now) - Self.day
        return try issue(
            CertificateTerms(name: name, purpose: .client, validity: begin...(begin + 90 * Self.day))
        )
    }

    /// Seconds of a day.
    public static let day = 86_400
}
