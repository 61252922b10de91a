/// A way for an origin of TLS to prove its identity, and whether its clients must, by name.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum TLSCase: String, Sendable, Hashable, CaseIterable {
    /// A certificate of the authority for the names of this machine.
    case good
    /// One that expired yesterday.
    case expired
    /// One that becomes valid tomorrow.
    case notYetValid = "not-yet-valid"
    /// One that its own key has signed.
    case selfSigned = "self-signed"
    /// A certificate of an untrusted authority.
    case unknownAuthority = "unknown-authority"
    /// One of the authority for another host.
    case wrongHost = "wrong-host"
    /// A valid one with the same key at every start, so that it can be pinned.
    case pinnedKey = "pinned-key"
    /// A good one; clients without a certificate of the authority fail.
    case clientRequired = "client-required"
    /// A good one; clients are asked for a certificate of the authority and may have none.
    case clientAsked = "client-asked"

    /// A description in one sentence.
    public var explanation: String {
        switch self {
        case .good: "a certificate of the authority for localhost, 127.0.0.1 and ::1"
        case .expired: "a certificate that expired yesterday"
        case .notYetValid: "a certificate that becomes valid tomorrow"
        case .selfSigned: "a self-signed certificate"
        case .unknownAuthority: "a certificate of an untrusted authority"
        case .wrongHost: "a certificate for \(Self.otherHost)"
        case .pinnedKey: "a valid certificate whose key stays the same"
        case .clientRequired: "a valid certificate; the client must also present one"
        case .clientAsked: "a valid certificate; the client is asked for one"
        }
    }

    /// The host of the certificate for another host.
    public static let otherHost = "other.example"
}
