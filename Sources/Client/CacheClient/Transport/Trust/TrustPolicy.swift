/// The servers that a client trusts over TLS, and how it identifies itself.
///
/// By default the system's authorities are trusted, chain and host name are checked, nothing is pinned, and the client
/// presents no certificate. Pins apply in addition to the enabled checks, never instead of them.
public struct TrustPolicy: Sendable, Hashable {
    /// PEM, or PKCS #12, in a file or in memory.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Material: Sendable, Hashable {
        /// Path of a file, read at each new connection.
        case file(String)
        /// The contents of such a file.
        case bytes([UInt8])
    }
    /// The certificate and key by which a client identifies itself.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ClientIdentity: Sendable, Hashable {
        /// Certificates, the client's own first, and its key in PEM; `password` is that of the key, `nil` if it is not
        /// encrypted.
        case pem(certificate: Material, key: Material, password: String? = nil)
        /// Both in one PKCS #12 file, with its password.
        case pkcs12(Material, password: String)
    }
    /// Authorities in PEM that are trusted in place of the system's; `nil`, the default, is the system's.
    ///
    /// A self-signed certificate is its own authority.
    public var authorities: Material?
    /// Whether the server's certificate must come from a trusted authority and be within its validity period; default
    /// true.
    ///
    /// False accepts every certificate, even a self-signed one: only for tests, or with pins.
    public var verifiesChain = true
    /// Whether the server's certificate must be for the requested host; default true.
    public var checksHostName = true
    /// SHA-256 digests of public keys (RFC 7469 §2.4), one of which must be the server's; empty for none.
    public var publicKeyPins: [[UInt8]] = []
    /// Certificates, one of which must be identical to the server's; empty for none.
    public var certificatePins: [PinnedCertificate] = []
    /// The identity that the client presents when requested; `nil`, the default, for none.
    public var identity: ClientIdentity?

    /// Creates the default policy.
    public init() {}

    /// Creates a policy that trusts only these authorities, which are certificates in PEM; other properties have their defaults.
    public init(authorityPEM: String) { authorities = .bytes(Array(authorityPEM.utf8)) }
}
