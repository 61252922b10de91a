public import Certificates

/// The settings of a server for TLS 1.2 and 1.3.
public struct TLSSettings: Sendable {
    /// Client authentication.
    public enum ClientCertificates: Sendable {
        /// No certificate is requested.
        case ignored
        /// A certificate is requested but optional; one that the authority has not signed fails the handshake.
        case asked(authority: Certificate)
        /// A certificate that the authority has signed is required.
        case required(authority: Certificate)
    }
    /// The server's certificate and key.
    public var identity: Identity
    /// Intermediate certificates, each the issuer of the one before; default none.
    public var chain: [Certificate] = []
    /// Client authentication; default none.
    public var clientCertificates = ClientCertificates.ignored
    /// Called on any thread with the reason of a failed handshake; default does nothing.
    public var onFailure: (@Sendable (String) -> Void)?

    /// Creates settings without client authentication.
    public init(identity: Identity) {
        self.identity = identity
    }
}

/// The result of a handshake.
public struct TLSFacts: Sendable, Hashable {
    /// Version and algorithms as GnuTLS describes them.
    public var description: String
    /// The server name that the client indicated; `nil` if it sent none.
    public var serverName: String?
    /// The subject of the client's certificate in the form of RFC 4514; `nil` if it sent none.
    public var clientSubject: String?
}
