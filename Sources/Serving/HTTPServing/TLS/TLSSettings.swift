public import Certificates

/// What a server needs to know to speak TLS 1.2 and 1.3 on its port.
public struct TLSSettings: Sendable {
    /// Whether clients have to prove who they are.
    public enum ClientCertificates: Sendable {
        /// They are not asked.
        case ignored
        /// They are asked; without a certificate they are served, too, with one that the authority has not signed not.
        case asked(authority: Certificate)
        /// Without a certificate that the authority has signed the handshake fails.
        case required(authority: Certificate)
    }
    /// What the server proves itself by.
    public var identity: Identity
    /// Certificates that are sent after the server's own, each the signer of the one before; default none.
    public var chain: [Certificate] = []
    /// Whether clients have to prove who they are; default not.
    public var clientCertificates = ClientCertificates.ignored
    /// Is told, on any thread, why a handshake failed; default nobody.
    public var onFailure: (@Sendable (String) -> Void)?

    /// Creates settings of a server that asks clients for nothing.
    public init(identity: Identity) {
        self.identity = identity
    }
}

/// What a handshake has come to.
public struct TLSFacts: Sendable, Hashable {
    /// Version and algorithms as GnuTLS writes them.
    public var description: String
    /// The host name that the client asked for; `nil` where it named none.
    public var serverName: String?
    /// The subject of the client's certificate as RFC 4514 writes it; `nil` where it showed none.
    public var clientSubject: String?
}
