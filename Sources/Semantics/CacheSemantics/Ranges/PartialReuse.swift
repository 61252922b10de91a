public import HTTPTypes

/// A stored response that lacks some of the requested bytes, and the request for those (RFC 9111 §3.3).
public struct PartialReuse: Sendable {
    /// The stored response.
    public let stored: StoredResponse
    /// The request to send, with `Range` for the missing bytes and `If-Range` for the stored representation.
    public let request: HTTPRequest
}

/// A response combined from stored bytes and bytes that are being received.
public struct Completion: Sendable {
    /// A piece of its content.
    public enum Piece: Sendable, Hashable {
        /// Stored bytes.
        case stored(ByteRange)
        /// Bytes from the content of the origin's response.
        case arriving(ByteRange)
    }

    /// The head: 200, or 206 for a range.
    public let response: HTTPResponse
    /// The stored response.
    public let stored: StoredResponse
    /// The pieces of the content, in order.
    public let pieces: [Piece]
    /// The current age in seconds, limited as delta-seconds are (RFC 9111 §1.2.2).
    public let age: Int64
    /// The freshness lifetime in seconds, limited as delta-seconds are.
    public let lifetime: Int64

    /// The exact range that the origin's response must contain.
    public var arriving: ByteRange? {
        for case .arriving(let range) in pieces { return range }
        return nil
    }
}
