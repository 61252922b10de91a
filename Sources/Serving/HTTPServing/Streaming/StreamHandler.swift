/// Handles the requests of a `StreamServer`; called on the threads of its loops, which it must not block.
public protocol StreamHandler: Sendable {
    /// Creates the answerer of one loop, for immediate responses; called once for each loop, on its thread.
    func makeAnswerer() -> any StreamAnswerer
    /// Takes over a request; the handler must end the exchange.
    func begin(_ exchange: StreamExchange)
    /// Returns the whole response to a request that the server refuses; the connection is closed after it.
    func refusal(for problem: RequestProblem) -> [UInt8]
}

extension StreamHandler {
    /// Returns an answerer that answers no request.
    public func makeAnswerer() -> any StreamAnswerer { EmptyAnswerer() }
}

/// An answerer that answers no request.
private final class EmptyAnswerer: StreamAnswerer {
    func answer(_ head: StreamHead, _ answer: inout StreamAnswer) -> Bool { false }
}

/// Answers requests without content at once; used by one loop, on its thread only.
public protocol StreamAnswerer: AnyObject {
    /// Answers a request whose bytes equal those of an earlier one; returns false to have it parsed.
    func answerAgain(_ head: UnsafeBufferPointer<UInt8>, _ answer: inout StreamAnswer) -> Bool
    /// Answers a request; returns false to have `begin` called.
    func answer(_ head: StreamHead, _ answer: inout StreamAnswer) -> Bool
}

extension StreamAnswerer {
    /// Returns false, so that every request is parsed.
    public func answerAgain(_ head: UnsafeBufferPointer<UInt8>, _ answer: inout StreamAnswer) -> Bool {
        false
    }
}

/// A view of a request's head in the server's buffer; valid only during the call that receives it.
public struct StreamHead {
    /// The head as it was received, including its end.
    public let bytes: UnsafeBufferPointer<UInt8>
    let reader: HeadReader
    /// Number of the connection.
    public let connection: UInt64

    /// Method.
    public var method: UnsafeBufferPointer<UInt8> { part(reader.method) }
    /// The request target, not decoded.
    public var target: UnsafeBufferPointer<UInt8> { part(reader.target) }
    /// Whether the version is HTTP/1.1.
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

/// The head of a request, unchanged.
public struct StreamRequest: Sendable, Hashable {
    /// The framing of the content.
    public enum Content: Sendable, Hashable {
        /// This number of bytes; `nil` if the request has no content.
        case length(Int?)
        /// Chunked, of unknown size.
        case chunked
    }
    /// The method in its original case.
    public let method: [UInt8]
    /// The request target, not decoded.
    public let target: [UInt8]
    /// The field lines in their original order.
    public let fields: [StreamField]
    /// Whether the version is HTTP/1.1; otherwise it is HTTP/1.0.
    public let isHTTP11: Bool
    /// Whether another request may follow on the connection.
    public let isPersistent: Bool
    /// Whether the client waits for 100 (Continue) before it sends the content.
    public let expectsContinue: Bool
    /// The framing of the content.
    public let content: Content
    /// Number of the connection.
    public let connection: UInt64

    /// The size of the content in bytes; `nil` if there is none or it is not known.
    public var contentLength: Int? {
        if case .length(let length) = content { length } else { nil }
    }
    /// Whether there is content, even if it is empty.
    public var hasContent: Bool { content != .length(nil) }
}

/// One field line, unchanged.
public struct StreamField: Sendable, Hashable {
    /// The name in its original case.
    public let name: [UInt8]
    /// Value without surrounding whitespace.
    public let value: [UInt8]
}

/// Content in an open file, which the system writes to a socket without copying it to this process.
public protocol FileContent: Sendable {
    /// Size in bytes.
    var count: Int { get }
    /// The open file; valid while this value lives.
    var descriptor: CInt { get }
    /// Whether the file still has its original content; checked before each part is written.
    var isUnchanged: Bool { get }
}

/// An immediate response: a head, and content that is not copied if it is large.
public struct StreamAnswer {
    /// Status line and fields, with the empty line; the buffer is reused, so append to it.
    public var head: [UInt8] = []
    /// Content.
    public var body: [UInt8] = []
    /// Content instead of `body`; a file that changes or ends early closes the connection within the response.
    public var file: (any FileContent)?
    /// Whether the connection is closed after the response.
    public var endsConnection = false

    mutating func reset() {
        head.removeAll(keepingCapacity: true)
        body = []
        file = nil
        endsConnection = false
    }
}
