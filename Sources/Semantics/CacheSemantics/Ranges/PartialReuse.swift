public import HTTPTypes

/// A stored response that lacks some of the bytes that a request wants, and the request for those (RFC 9111 §3.3).
public struct PartialReuse: Sendable {
    /// What is held.
    public let stored: StoredResponse
    /// The request to send: `Range` for what is missing, `If-Range` for what it has to fit to.
    public let request: HTTPRequest
    /// What is missing.
    let gap: StoredParts.Gap
}

/// A response put together from stored bytes and bytes that are arriving.
public struct Completion: Sendable {
    /// One piece of its content.
    public enum Piece: Sendable, Hashable {
        /// Bytes that are stored.
        case stored(ByteRange)
        /// Bytes that are the content of the origin's answer.
        case arriving(ByteRange)
    }

    /// The head: 200, or 206 for a range.
    public let response: HTTPResponse
    /// What was stored.
    public let stored: StoredResponse
    /// The pieces of the content, in order.
    public let pieces: [Piece]
    /// Current age in seconds.
    public let age: Int64
    /// Freshness lifetime in seconds.
    public let lifetime: Int64

    /// The bytes that the origin's answer is to bring.
    public var arriving: ByteRange? {
        for case .arriving(let range) in pieces { return range }
        return nil
    }
}
