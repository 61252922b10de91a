/// Whom a client believes over TLS, and how it proves itself.
///
/// By default the system's authorities are trusted, chain and host name are checked, nothing is pinned, and the client
/// shows no certificate. What is pinned has to hold besides the checks that are on, never in their place.
public struct TrustPolicy: Sendable, Hashable {
    /// PEM, or PKCS #12, in a file or in memory.
    public enum Material: Sendable, Hashable {
        /// Path of a file, read at each new connection.
        case file(String)
        /// What would be in the file.
        case bytes([UInt8])
    }
    /// What a client proves itself by.
    public enum ClientIdentity: Sendable, Hashable {
        /// Certificates, the client's own first, and its key in PEM; `password` is that of the key, `nil` for none.
        case pem(certificate: Material, key: Material, password: String? = nil)
        /// Both in one file of PKCS #12 and its password.
        case pkcs12(Material, password: String)
    }
    /// Authorities in PEM that are trusted in place of the system's; `nil`, the default, is the system's.
    ///
    /// A certificate that signs itself is its own authority.
    public var authorities: Material?
    /// Whether the server's certificate must come from a trusted authority and be in date; default true.
    ///
    /// False accepts every certificate, one that signs itself, too: only for tests, or with pins.
    public var verifiesChain = true
    /// Whether the server's certificate must be for the host that is asked; default true.
    public var checksHostName = true
    /// SHA-256 digests of public keys (RFC 7469 §2.4), of which the server's must be one; empty for none.
    public var publicKeyPins: [[UInt8]] = []
    /// Certificates, of which the server's must be one to the byte; empty for none.
    public var certificatePins: [PinnedCertificate] = []
    /// What the client shows when it is asked; `nil`, the default, is nothing.
    public var identity: ClientIdentity?

    /// Creates the default policy.
    public init() {}
}
