/// Who answers the requests of a `StreamServer`; called on the threads of its loops, which it must not block.
public protocol StreamHandler: Sendable {
    /// Makes what answers requests at once on one loop; called once for each, on its thread.
    func makeAnswerer() -> any StreamAnswerer
    /// Takes over a request, and with it the duty to end the exchange.
    func begin(_ exchange: StreamExchange)
    /// Returns the whole response to a request that the server refuses; the connection is closed after it.
    func refusal(for problem: RequestProblem) -> [UInt8]
}

extension StreamHandler {
    /// None: every request is read.
    public func makeAnswerer() -> any StreamAnswerer { EmptyAnswerer() }
}

/// Has every request read.
private final class EmptyAnswerer: StreamAnswerer {
    func answer(_ head: StreamHead, _ answer: inout StreamAnswer) -> Bool { false }
}

/// Answers requests without content at once, for one loop and on its thread only.
public protocol StreamAnswerer: AnyObject {
    /// Answers a request that came before with the very same bytes; false to have it read.
    func answerAgain(_ head: UnsafeBufferPointer<UInt8>, _ answer: inout StreamAnswer) -> Bool
    /// Answers a request; false to have `begin` called.
    func answer(_ head: StreamHead, _ answer: inout StreamAnswer) -> Bool
}

extension StreamAnswerer {
    /// Has every request read.
    public func answerAgain(_ head: UnsafeBufferPointer<UInt8>, _ answer: inout StreamAnswer) -> Bool {
        false
    }
}

/// A view of a request's head in the server's buffer; valid only during the call that receives it.
public struct StreamHead {
    /// The head as it was received, with its end.
    public let bytes: UnsafeBufferPointer<UInt8>
    let reader: HeadReader
    /// Number of the connection.
    public let connection: UInt64

    /// Method.
    public var method: UnsafeBufferPointer<UInt8> { part(reader.method) }
    /// Request target, nothing decoded.
    public var target: UnsafeBufferPointer<UInt8> { part(reader.target) }
    /// Whether the request is of HTTP/1.1.
    public var isHTTP11: Bool { reader.isHTTP11 }
    /// Whether another request may follow on the connection.
    public var isPersistent: Bool {
        reader.isHTTP11 ? !reader.wantsClose : reader.wantsKeepAlive && !reader.wantsClose
    }

    private func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[range])
    }

    /// Copies the head.
    public var request: StreamRequest {
        StreamRequest(
            method: Array(method),
            target: Array(target),
            fields: reader.lines.map { line in
                StreamField(name: Array(part(line.name)), value: Array(part(line.value)))
            },
            isHTTP11: isHTTP11,
            isPersistent: isPersistent,
            expectsContinue: reader.expectsContinue && isHTTP11,
            content: reader.check.hasCoding ? .chunked : .length(reader.check.length),
            connection: connection
        )
    }
}

/// The head of a request, byte for byte.
public struct StreamRequest: Sendable, Hashable {
    /// How the content is framed.
    public enum Content: Sendable, Hashable {
        /// So many bytes; `nil` where the request has no content.
        case length(Int?)
        /// In chunks, as many as come.
        case chunked
    }
    /// Method, in the case it was sent in.
    public let method: [UInt8]
    /// Request target, nothing decoded.
    public let target: [UInt8]
    /// Field lines in the order they were sent.
    public let fields: [StreamField]
    /// Whether the request is of HTTP/1.1; else of HTTP/1.0.
    public let isHTTP11: Bool
    /// Whether another request may follow on the connection.
    public let isPersistent: Bool
    /// Whether the client waits for 100 (Continue) before it sends the content.
    public let expectsContinue: Bool
    /// How the content is framed.
    public let content: Content
    /// Number of the connection.
    public let connection: UInt64

    /// Bytes of content; `nil` where there is none, or where that is not known.
    public var contentLength: Int? {
        if case .length(let length) = content { length } else { nil }
    }
    /// Whether there is content, be it empty.
    public var hasContent: Bool { content != .length(nil) }
}

/// One field line, byte for byte.
public struct StreamField: Sendable, Hashable {
    /// Name, in the case it was sent in.
    public let name: [UInt8]
    /// Value without surrounding whitespace.
    public let value: [UInt8]
}

/// Content in an open file, which the system writes to a socket without handing it to this process.
public protocol FileContent: Sendable {
    /// Size in bytes.
    var count: Int { get }
    /// The open file; valid while this value lives.
    var descriptor: CInt { get }
    /// Whether the file has the content that it is meant to have; asked before each part is written.
    var isUnchanged: Bool { get }
}

/// A response that is known at once: a head, and content that is not copied where it is large.
public struct StreamAnswer {
    /// Status line and fields, with the empty line; the buffer is used again, so append to it.
    public var head: [UInt8] = []
    /// Content.
    public var body: [UInt8] = []
    /// Content in place of `body`; a file that changes, or ends early, ends the connection in the middle of the response.
    public var file: (any FileContent)?
    /// Whether the connection is closed after it.
    public var endsConnection = false

    mutating func reset() {
        head.removeAll(keepingCapacity: true)
        body = []
        file = nil
        endsConnection = false
    }
}
