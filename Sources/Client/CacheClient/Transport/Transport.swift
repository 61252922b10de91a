public import Addresses
public import CacheStorage
public import HTTPTypes

/// A sender of requests, such as libcurl's connections or an origin in the same process.
public protocol Transport: Sendable {
    /// The executor whose tasks need no thread hop to use this transport; `nil` if there is none.
    var executor: (any TaskExecutor)? { get }

    /// Starts one exchange and returns at once.
    ///
    /// `receiver` is called with everything that arrives, from one thread at a time, in this order: any number of
    /// interim responses, one head, pieces of the content, and last and always the end. It may be called before this
    /// function returns.
    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange
}

extension Transport {
    /// No executor.
    public var executor: (any TaskExecutor)? { nil }
}

/// A transport that can also be used without verification, for individual requests.
public protocol UnverifiedTransport: Transport {
    /// Returns a transport that accepts any certificate, on its own connections.
    func acceptingAnyCertificate() -> any Transport
}

/// The receiver of one exchange's events; called on a thread of the transport, so it must not block.
public protocol TransportReceiver: AnyObject, Sendable {
    /// Called when a 1xx response has arrived.
    func receive(interim response: HTTPResponse)
    /// Called before the final head if it was not received as usual: in HTTP/1.1, at the first attempt.
    ///
    /// By default ignored.
    func receive(start: TransportStart)
    /// Called when the final head has arrived.
    func receive(head response: HTTPResponse)
    /// Called when content has arrived, never empty; false pauses until `TransportExchange.resume()`.
    func receive(piece: [UInt8]) -> Bool
    /// Called when the exchange is over; nothing follows.
    func receive(end: Result<TransportEnd, TransportError>)
    /// Called when all that is left has arrived at once, and the exchange is over.
    ///
    /// By default, the other functions are called.
    func receive(rest: consuming TransportRest)
}

extension TransportReceiver {
    /// Ignores the start.
    public func receive(start: TransportStart) {}

    /// Reports the head, the piece and the end one after another.
    public func receive(rest: consuming TransportRest) {
        if let head = rest.head { receive(head: head) }
        if !rest.piece.isEmpty { _ = receive(piece: rest.piece) }
        receive(end: rest.end)
    }
}

/// The rest of an exchange: for a short response, all of it.
public struct TransportRest: Sendable {
    /// The final head; `nil` if it was reported before, or never arrived.
    public var head: HTTPResponse?
    /// Content; empty for none.
    public var piece: [UInt8]
    /// The end of the exchange.
    public var end: Result<TransportEnd, TransportError>

    /// Creates the rest of an exchange.
    public init(head: HTTPResponse?, piece: [UInt8], end: Result<TransportEnd, TransportError>) {
        self.head = head
        self.piece = piece
        self.end = end
    }
}

/// An exchange that has started, an object; all functions may be called from any thread, at any time, repeatedly.
public protocol TransportExchange: AnyObject, Sendable {
    /// Requests more content after a piece was answered with false.
    func resume()
    /// Cancels the exchange: an HTTP/1 connection is closed, and the end is `cancelled` unless it came before.
    func cancel()
    /// Works for a moment instead of a task that would otherwise wait for a call of the receiver; false if that is of no
    /// more use, and the task should wait.
    ///
    /// For tasks that hold no actor, which others would have to wait for. By default false.
    func workInPlace() -> Bool
}

/// An exchange that had ended before it was returned.
package final class EndedExchange: TransportExchange {
    /// Creates one.
    package init() {}

    /// Does nothing.
    package func resume() {}
    /// Does nothing.
    package func cancel() {}
}

extension TransportExchange {
    /// Returns false.
    public func workInPlace() -> Bool { false }
}

/// One request as it is sent.
public struct TransportRequest: Sendable {
    /// Method, absolute URI and fields, to which only framing and `Host` are added.
    public var head: HTTPRequest
    /// Content; `nil` if there is none.
    public var body: RequestBody?
    /// The rule for the addresses that may be connected to; `nil`, the default, for any.
    public var addresses: AddressRule?
    /// The time to open a connection, if one has to be opened; `nil`, the default, for no separate limit.
    public var connectTimeout: Duration?
    /// The newest version of HTTP to send it in; default `.http2`, which needs TLS: without TLS it is HTTP/1.1.
    ///
    /// `CurlTransport` has one request at a time on a connection, in every version.
    public var newestVersion = HTTPVersion.http2

    /// Creates a request.
    public init(head: HTTPRequest, body: RequestBody? = nil) {
        self.head = head
        self.body = body
    }
}

/// The facts about an exchange when its final head has arrived.
public struct TransportStart: Sendable, Hashable {
    /// The version of HTTP in which the head was received.
    public var version: HTTPVersion
    /// The number of times the request was sent; more than one if a reused connection was closed unanswered.
    public var attempts: Int

    /// Creates the start of an exchange; the defaults are the usual values.
    public init(version: HTTPVersion = .http11, attempts: Int = 1) {
        self.version = version
        self.attempts = attempts
    }
}

/// The facts about an exchange that has ended successfully.
public struct TransportEnd: Sendable {
    /// Trailer fields; empty for none.
    public var trailers = HTTPFields()
    /// The number of times the request was sent; more than one if a reused connection was closed unanswered.
    public var attempts = 1
    /// Whether the connection had carried another exchange before.
    public var isReusedConnection = false
    /// Bytes of the request, head and content.
    public var bytesSent = 0
    /// Bytes of the response's head.
    public var headBytes = 0
    /// Whether the transport has verified that the content is as long as the head specifies (RFC 9112 §8).
    public var isLengthChecked = false

    /// Creates the end of an exchange about which nothing else is known.
    public init() {}
}
