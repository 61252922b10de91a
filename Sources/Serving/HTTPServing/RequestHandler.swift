/// Handles the requests of a server; called on any of its threads, which it must not block.
public protocol RequestHandler: Sendable {
    /// Returns the prepared response to a request without content; `nil` to have `reply(to:)` called.
    func preparedResponse(for head: RequestHead) -> PreparedResponse?
    /// Called when only the first `whole` prepared responses on a connection were sent completely.
    func preparedWasCut(connection: UInt64, after whole: Int)
    /// Returns the reply to a request.
    func reply(to request: ServedRequest) -> RawReply
    /// Returns the reply to a request that the server rejects, as far as it was parsed.
    func refusal(of request: ServedRequest, for problem: RequestProblem) -> RawReply
    /// Returns the replies on a connection that was just accepted, before anything is read.
    ///
    /// If a reply ends with `keepAlive`, requests are read afterwards.
    func greeting(ofConnection number: UInt64, isTLS: Bool) -> Greeting
    /// Returns the pace for reading the content of a request, given its head; `nil` for no stops and limits.
    func reading(of request: ServedRequest) -> RequestReading?
}

extension RequestHandler {
    /// Does nothing.
    public func preparedWasCut(connection: UInt64, after whole: Int) {}
    /// Returns no greeting.
    public func greeting(ofConnection number: UInt64, isTLS: Bool) -> Greeting { Greeting() }
    /// Returns `nil`.
    public func reading(of request: ServedRequest) -> RequestReading? { nil }
}

/// The replies on a connection before its first request.
public struct Greeting: Sendable {
    /// The reply after it was accepted, before TLS; `nil` if there is none.
    public var ofConnection: RawReply?
    /// The reply after the TLS handshake, within TLS; `nil` if there is none.
    public var afterHandshake: RawReply?

    /// Creates a greeting; by default without replies.
    public init(ofConnection: RawReply? = nil, afterHandshake: RawReply? = nil) {
        self.ofConnection = ofConnection
        self.afterHandshake = afterHandshake
    }
}

/// A view of a request's head in the server's buffers; valid only during the call that receives it.
public struct RequestHead {
    /// Method.
    public let method: UnsafeBufferPointer<UInt8>
    /// The request target, not decoded.
    public let target: UnsafeBufferPointer<UInt8>
    /// Field lines, each ending in CRLF, with any whitespace around the values.
    public let fieldLines: UnsafeBufferPointer<UInt8>
    /// Number of the connection.
    public let connection: UInt64
    /// Port of the client.
    package let peerPort: UInt16
    /// The number of earlier requests on the connection.
    public let requestsBefore: Int
    /// Whether the version is HTTP/1.1.
    public let isHTTP11: Bool
}

/// The reason for rejecting a request.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum RequestProblem: Sendable, Hashable, CaseIterable {
    /// No `Host` in an HTTP/1.1 request, RFC 9112 §3.2.
    case missingHost
    /// More than one `Host`, RFC 9112 §3.2.
    case severalHosts
    /// An invalid `Host`, RFC 9112 §3.2.
    case badHost
    /// A field name or value with a forbidden character, RFC 9112 §5.
    case malformedField
    /// `Content-Length` and `Transfer-Encoding` together, RFC 9112 §6.1.
    case lengthAndCoding
    /// A `Content-Length` that is not a number, or several different ones, RFC 9112 §6.3.
    case badLength
    /// A transfer coding other than `chunked`, RFC 9112 §6.1.
    case unknownCoding
    /// The content is larger than the limit.
    case contentTooLarge
    /// The request target is longer than the limit.
    case targetTooLong
    /// A malformed request line, RFC 9112 §3.
    case malformedRequestLine
    /// A request target with a non-ASCII byte, RFC 9112 §3.2.
    case targetBeyondASCII
    /// A request target with a fragment, RFC 9112 §3.2.
    case fragmentInTarget
    /// An http or https URL without a host, or with user information, as target, RFC 9110 §4.2.1 and §4.2.4.
    case badAuthority
    /// An unsupported major version of HTTP.
    case unknownVersion
    /// A head larger than the limit, RFC 6585 §5.
    case headTooLarge
    /// A request that exceeds a time limit, RFC 9110 §15.5.9.
    case tooSlow
    /// More connections than the limit, RFC 9110 §15.6.4.
    case tooManyConnections
    /// A malformed chunk, RFC 9112 §7.1.
    case malformedChunk

    /// The status code of the response.
    public var status: Int {
        switch self {
        case .tooSlow: 408
        case .contentTooLarge: 413
        case .targetTooLong: 414
        case .headTooLarge: 431
        case .unknownCoding: 501
        case .tooManyConnections: 503
        case .unknownVersion: 505
        default: 400
        }
    }

    /// One sentence for the client.
    public var explanation: String {
        switch self {
        case .missingHost: "The request has no Host field."
        case .severalHosts: "The request has more than one Host field."
        case .badHost: "The Host field is not a host with an optional port."
        case .malformedField: "A field line is malformed."
        case .lengthAndCoding: "The request has both Content-Length and Transfer-Encoding."
        case .badLength: "Content-Length is not a single number."
        case .unknownCoding: "The transfer coding is not supported; only chunked is."
        case .tooSlow: "The request was not completed in time."
        case .tooManyConnections: "The server has reached its connection limit."
        case .contentTooLarge: "The content is larger than this server accepts."
        case .targetTooLong: "The request target is longer than this server accepts."
        case .malformedRequestLine: "The request line is not a method, a target and a version."
        case .targetBeyondASCII: "The request target has a non-ASCII byte; percent-encode it."
        case .fragmentInTarget: "The request target has a fragment."
        case .badAuthority: "The request target is a URL without a host, or with user information."
        case .unknownVersion: "The version is not supported; only HTTP/1.1 is."
        case .headTooLarge: "The head is larger than this server accepts."
        case .malformedChunk: "A chunk of the content is malformed."
        }
    }
}
