import HTTPServing

/// Writes a head and the content that follows, in the response's framing.
///
/// The response is complete for the client only when it has been stored, so that a repeated request is answered from
/// the store: the piece that completes the length is held back until the end is known. A response that precedes the end of the
/// request's content is not held back, since its client may wait for it before it sends more, or stops (RFC 9112 §9.5).
struct Delivery {
    let exchange: StreamExchange
    let framing: ForwardedFraming
    private let holdsEnd: Bool
    private var pending: [UInt8]
    /// Bytes of content that were sent, or are held back.
    private(set) var sent = 0

    init(exchange: StreamExchange, framing: ForwardedFraming, head: [UInt8]) {
        self.exchange = exchange
        self.framing = framing
        holdsEnd = exchange.hasWholeContent
        pending = head
    }

    /// Writes the head, unless the head completes the response.
    mutating func begin() async throws(ClientDisconnected) {
        switch framing {
        case .noContent where holdsEnd, .length(0) where holdsEnd: return
        case .noContent, .length, .chunked, .untilClose: try await flush()
        }
    }

    mutating func send(_ piece: [UInt8]) async throws(ClientDisconnected) {
        switch framing {
        case .noContent: return
        case .chunked: try await sendChunk(piece)
        case .length, .untilClose: if pending.isEmpty { pending = piece } else { pending += piece }
        }
        sent += piece.count
        if case .length(let length) = framing, sent >= length, holdsEnd { return }
        try await flush()
    }

    /// Sends a chunk; a large piece is not copied between its framing, because the store may use it, too.
    private mutating func sendChunk(_ piece: [UInt8]) async throws(ClientDisconnected) {
        pending += Self.chunkHead(piece.count)
        guard piece.count > Self.copyLimit else {
            pending += piece + Self.lineEnd
            return
        }
        try await flush()
        try await exchange.write(piece)
        pending = Self.lineEnd
    }

    mutating func end() throws(ClientDisconnected) {
        if case .length(let length) = framing, sent != length { throw ClientDisconnected() }
        if framing == .chunked { pending += Self.lastChunk }
        // A client that has everything it requested may disconnect at once; that is no failure.
        guard exchange.writeNow(pending) else { throw ClientDisconnected() }
        pending = []
    }

    private mutating func flush() async throws(ClientDisconnected) {
        let bytes = pending
        pending = []
        try await exchange.write(bytes)
    }

    private static let copyLimit = 16 << 10
    private static let lineEnd: [UInt8] = [0x0D, 0x0A]
    private static let lastChunk = Array("0\r\n\r\n".utf8)

    private static func chunkHead(_ count: Int) -> [UInt8] {
        Array((String(count, radix: 16) + "\r\n").utf8)
    }
}
