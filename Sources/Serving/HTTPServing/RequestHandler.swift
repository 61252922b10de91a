/// Who answers the requests of a server; called on any of its threads, which it must not block.
public protocol RequestHandler: Sendable {
    /// Whether `preparedResponse(for:)` may return anything but `nil`; asked for each connection, before its first request.
    var preparesResponses: Bool { get }
    /// Returns the prepared response for a request without content, or `nil` to be asked for a reply.
    func preparedResponse(for head: RequestHead) -> PreparedResponse?
    /// The prepared responses to a connection's requests after its first `whole` could not be sent whole.
    func preparedWasCut(connection: UInt64, after whole: Int)
    /// Returns the reply to a request.
    func reply(to request: ServedRequest) -> RawReply
    /// Returns the reply to a request that the server refuses, as far as it was understood.
    func refusal(of request: ServedRequest, for problem: RequestProblem) -> RawReply
    /// Returns what is done on a connection that has just been accepted, before anything is read.
    ///
    /// Where a reply's ending is `keepAlive`, requests are read afterwards.
    func greeting(ofConnection number: UInt64, isTLS: Bool) -> Greeting
    /// Whether `reading(of:)` may return anything but `nil`.
    var pacesRequests: Bool { get }
    /// Returns how the content of a request whose head is known is read; `nil` is as it comes.
    func reading(of request: ServedRequest) -> RequestReading?
}

extension RequestHandler {
    /// True.
    public var preparesResponses: Bool { true }
    /// Nothing.
    public func preparedWasCut(connection: UInt64, after whole: Int) {}
    /// Nothing.
    public func greeting(ofConnection number: UInt64, isTLS: Bool) -> Greeting { Greeting() }
    /// False.
    public var pacesRequests: Bool { false }
    /// As it comes.
    public func reading(of request: ServedRequest) -> RequestReading? { nil }
}

/// What is done on a connection before its first request.
public struct Greeting: Sendable {
    /// What is done when it was accepted, before any TLS; `nil` is nothing.
    public var ofConnection: RawReply?
    /// What is done after the TLS handshake, within TLS; `nil` is nothing.
    public var afterHandshake: RawReply?

    /// Creates a greeting; by default nothing is done.
    public init(ofConnection: RawReply? = nil, afterHandshake: RawReply? = nil) {
        self.ofConnection = ofConnection
        self.afterHandshake = afterHandshake
    }
}

/// A view of a request's head in the server's buffers; valid only during the call that receives it.
public struct RequestHead {
    /// Method.
    public let method: UnsafeBufferPointer<UInt8>
    /// Request target, nothing decoded.
    public let target: UnsafeBufferPointer<UInt8>
    /// Field lines, each ending in CRLF, with any whitespace around the values.
    public let fieldLines: UnsafeBufferPointer<UInt8>
    /// Number of the connection.
    public let connection: UInt64
    /// Port of the other end.
    public let peerPort: UInt16
    /// How many requests came before on the connection.
    public let requestsBefore: Int
    /// Whether the request is of HTTP/1.1.
    public let isHTTP11: Bool
}

/// Why a request is refused.
public enum RequestProblem: Sendable, Hashable, CaseIterable {
    /// No `Host` in an HTTP/1.1 request, RFC 9112 §3.2.
    case missingHost
    /// More than one `Host`, RFC 9112 §3.2.
    case severalHosts
    /// A `Host` that is no host and port, RFC 9112 §3.2.
    case badHost
    /// A field name or value with a character that must not be there, RFC 9112 §5.
    case malformedField
    /// `Content-Length` and `Transfer-Encoding` together, RFC 9112 §6.1.
    case lengthAndCoding
    /// A `Content-Length` that is no number, or several that differ, RFC 9112 §6.3.
    case badLength
    /// A transfer coding other than `chunked`, RFC 9112 §6.1.
    case unknownCoding
    /// The content is larger than the server takes.
    case contentTooLarge
    /// The request target is longer than the server takes.
    case targetTooLong
    /// A request line that is not method, target and version, RFC 9112 §3.
    case malformedRequestLine
    /// A request target with a byte beyond ASCII, which no URI has, RFC 9112 §3.2.
    case targetBeyondASCII
    /// A request target with a fragment, RFC 9112 §3.2.
    case fragmentInTarget
    /// Another major version of HTTP.
    case unknownVersion
    /// A head that is larger than the server takes, RFC 6585 §5.
    case headTooLarge
    /// A request that takes longer than the server waits, RFC 9110 §15.5.9.
    case tooSlow
    /// More connections than the server takes, RFC 9110 §15.6.4.
    case tooManyConnections
    /// A chunk or its end that is malformed, RFC 9112 §7.1.
    case malformedChunk

    /// Status code of the refusal.
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
        case .badHost: "The Host field is no host and port."
        case .malformedField: "A field line is malformed."
        case .lengthAndCoding: "The request has both Content-Length and Transfer-Encoding."
        case .badLength: "Content-Length is not one number."
        case .unknownCoding: "The transfer coding is not supported; chunked is."
        case .tooSlow: "The request was not complete in time."
        case .tooManyConnections: "The server has as many connections as it takes."
        case .contentTooLarge: "The content is larger than this server takes."
        case .targetTooLong: "The request target is longer than this server takes."
        case .malformedRequestLine: "The request line is not a method, a target and a version."
        case .targetBeyondASCII: "The request target has a byte beyond ASCII; percent-encode it."
        case .fragmentInTarget: "The request target has a fragment."
        case .unknownVersion: "The version is not supported; HTTP/1.1 is."
        case .headTooLarge: "The head is larger than this server takes."
        case .malformedChunk: "A chunk of the content is malformed."
        }
    }
}
