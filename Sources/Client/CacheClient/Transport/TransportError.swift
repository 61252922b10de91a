/// Why an exchange brought no complete response.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure, each with the code that Foundation gives it.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// Anything else.
        case unknown = -1
        /// The caller broke it off.
        case cancelled = -999
        /// The URL cannot be used.
        case badURL = -1000
        /// Nothing arrived in time.
        case timedOut = -1001
        /// The scheme is neither `http` nor `https`.
        case unsupportedURL = -1002
        /// The host name has no address.
        case cannotFindHost = -1003
        /// Nobody listens.
        case cannotConnect = -1004
        /// The connection broke before the response was complete.
        case connectionLost = -1005
        /// The client is offline.
        case offline = -1009
        /// What arrived is not HTTP, or does not say in a way that can be trusted where it ends.
        case badResponse = -1011
        /// The content coding is damaged.
        case cannotDecode = -1015
        /// A streamed request body cannot be sent a second time.
        case bodyExhausted = -1021
        /// The file to send does not exist or cannot be read.
        case noSuchFile = -1100
        /// The address is none that may be connected to.
        case addressRefused = -1020
        /// The response is larger than allowed.
        case tooLarge = -1103
        /// TLS failed.
        case secureConnectionFailed = -1200
        /// The server's certificate has expired.
        case certificateExpired = -1201
        /// The server's certificate signs itself, is for another host, or is none of those that are pinned.
        case untrustedCertificate = -1202
        /// The server's certificate comes from an authority that is not trusted.
        case unknownAuthority = -1203
        /// The server's certificate is not valid yet.
        case certificateNotYetValid = -1204
        /// The server does not accept the client's certificate.
        case clientCertificateRejected = -1205
        /// The server asks for a certificate, and the client has none.
        case clientCertificateRequired = -1206
    }
    /// What kind of failure.
    public let kind: Kind
    /// One sentence, with what is known of the cause.
    public let detail: String

    /// Creates an error.
    public init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// Foundation's code.
    public var code: Int { kind.rawValue }

    /// The sentence.
    public var description: String { detail }
}
