/// The failure of an exchange to bring a complete response.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure, each with the code that Foundation gives it, if any.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// Anything else.
        case unknown = -1
        /// The caller cancelled it.
        case cancelled = -999
        /// The URL cannot be used.
        case badURL = -1000
        /// Nothing arrived in time.
        case timedOut = -1001
        /// The scheme is neither `http` nor `https`.
        case unsupportedURL = -1002
        /// The host name has no address.
        case cannotFindHost = -1003
        /// No server is listening.
        case cannotConnect = -1004
        /// The connection broke before the response was complete.
        case connectionLost = -1005
        /// The client is offline.
        case offline = -1009
        /// The response is HTTP, but does not answer the request: there is no final response, or a 206 or 304 to what was
        /// not asked.
        case badResponse = -1011
        /// The content coding is damaged.
        case cannotDecode = -1015
        /// The response cannot be parsed as HTTP, or its end cannot be determined reliably.
        case cannotParse = -1017
        /// The connection would need roaming, which is off.
        case roamingOff = -1018
        /// The network does not allow data, as during a call over some cellular networks.
        case dataNotAllowed = -1020
        /// A streamed request body cannot be sent a second time, or does not have the number of bytes that was announced.
        case bodyExhausted = -1021
        /// The file to send does not exist or cannot be read.
        case noSuchFile = -1100
        /// The response is larger than allowed.
        case tooLarge = -1103
        /// TLS failed.
        case secureConnectionFailed = -1200
        /// The server's certificate has expired.
        case certificateExpired = -1201
        /// The server's certificate is self-signed, is for another host, or is not one of those that are pinned.
        case untrustedCertificate = -1202
        /// The server's certificate was issued by an authority that is not trusted.
        case unknownAuthority = -1203
        /// The server's certificate is not valid yet.
        case certificateNotYetValid = -1204
        /// The server does not accept the client's certificate.
        case clientCertificateRejected = -1205
        /// The server asks for a certificate, and the client has none.
        case clientCertificateRequired = -1206
        /// The address must not be connected to; CacheCheck's own code, because Foundation has none for it.
        case addressRefused = -10_001
        /// The server speaks HTTP/1.0, so it needs the length of the content, which is unknown (RFC 9112 §6.1);
        /// CacheCheck's own code.
        case lengthRequired = -10_002
    }
    /// The kind of failure.
    public let kind: Kind
    /// One sentence, with the known cause.
    public let detail: String

    /// Creates an error.
    public init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// Foundation's code for the failure.
    package var code: Int { kind.rawValue }

    /// The same sentence as `detail`.
    public var description: String { detail }
}

extension TransportError {
    /// The task of the request was cancelled.
    package static var requestCancelled: TransportError {
        TransportError(.cancelled, "The request was cancelled.")
    }

    static var lengthRequired: TransportError {
        TransportError(
            .lengthRequired,
            "The server speaks HTTP/1.0, so the length of the request's content has to be known."
        )
    }

    /// The total time of the request is over.
    static var overdue: TransportError {
        TransportError(.timedOut, "The request took longer than its total timeout.")
    }
}
