import WireSyntax

/// A decoder of the chunked coding of a request's content (RFC 9112 §7.1), which ignores extensions, and trailers that are
/// well-formed.
package struct ChunkReader: Sendable {
    /// The meaning of the next bytes.
    package enum Step: Equatable {
        /// This number of bytes at the start are framing.
        case framing(Int)
        /// This number of bytes at the start are content.
        case content(Int)
        /// More bytes are needed.
        case incomplete
        /// This number of bytes at the start are the end of the content.
        case end(Int)
        /// The content is refused.
        case refused(RequestProblem)
    }
    private enum Phase: Sendable {
        case size
        case data(Int)
        case dataEnd
        case trailers
    }
    private static let lineLimit = 4 << 10
    private var phase = Phase.size
    private var left: Int
    private var trailerLimit = 32 << 10

    /// Creates a reader of at most `limit` bytes of content.
    package init(limit: Int) { left = limit }

    /// Whether the last chunk's size was read, so that only trailers and the end may follow.
    package var isInTrailers: Bool { if case .trailers = phase { true } else { false } }

    /// Returns the meaning of the next bytes; the caller continues after the bytes of a step.
    package mutating func next(_ bytes: UnsafeBufferPointer<UInt8>) -> Step {
        switch phase {
        case .size: return size(bytes)
        case .data(let count):
            guard !bytes.isEmpty else { return .incomplete }
            let taken = min(count, bytes.count)
            phase = taken == count ? .dataEnd : .data(count - taken)
            return .content(taken)
        case .dataEnd: return dataEnd(bytes)
        case .trailers: return trailer(bytes)
        }
    }

    private mutating func size(_ bytes: UnsafeBufferPointer<UInt8>) -> Step {
        guard let line = Self.line(bytes) else {
            return bytes.count > Self.lineLimit ? .refused(.malformedChunk) : .incomplete
        }
        // RFC 9112 §7.1.1: extensions are limited; a line of any length would be one that arrives in one piece.
        guard let text = line, text.count <= Self.lineLimit else { return .refused(.malformedChunk) }
        switch Self.number(text) {
        case nil: return .refused(.malformedChunk)
        case let size? where size > left: return .refused(.contentTooLarge)
        case 0?: phase = .trailers
        case let size?:
            left -= size
            phase = .data(size)
        }
        return .framing(text.count + 2)
    }

    private mutating func dataEnd(_ bytes: UnsafeBufferPointer<UInt8>) -> Step {
        guard bytes.count >= 2 else { return .incomplete }
        guard bytes[0] == 0x0D, bytes[1] == 0x0A else { return .refused(.malformedChunk) }
        phase = .size
        return .framing(2)
    }

    private mutating func trailer(_ bytes: UnsafeBufferPointer<UInt8>) -> Step {
        guard let line = Self.line(bytes) else {
            return bytes.count > trailerLimit ? .refused(.headTooLarge) : .incomplete
        }
        guard let text = line else { return .refused(.malformedField) }
        if text.isEmpty { return .end(2) }
        guard let field = MessageHead.field(text[...]),
            RequestCheck.isWellFormed(
                name: UnsafeBufferPointer(rebasing: field.name),
                value: UnsafeBufferPointer(rebasing: field.value)
            )
        else { return .refused(.malformedField) }
        trailerLimit -= text.count + 2
        return trailerLimit < 0 ? .refused(.headTooLarge) : .framing(text.count + 2)
    }

    /// Returns the line that ends in CRLF: `nil` if it has no end yet, `.some(nil)` if it contains a bare CR or LF, or
    /// NUL.
    private static func line(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>?? {
        guard let feed = bytes.firstIndex(of: 0x0A) else { return nil }
        guard feed > 0, bytes[feed - 1] == 0x0D else { return .some(nil) }
        let line = UnsafeBufferPointer(rebasing: bytes[..<(feed - 1)])
        return line.contains { $0 == 0x0D || $0 == 0 } ? .some(nil) : line
    }

    /// Returns the size before any extension, at most the largest `Int`; `nil` if it is not a number.
    private static func number(_ line: UnsafeBufferPointer<UInt8>) -> Int? {
        let end = line.firstIndex { $0 == 0x3B || $0 == 0x20 || $0 == 0x09 } ?? line.count
        guard end > 0, line[end...].first(where: { $0 != 0x20 && $0 != 0x09 }).map({ $0 == 0x3B }) ?? true
        else { return nil }
        var number = 0
        for byte in line[..<end] {
            guard let digit = digit(byte) else { return nil }
            number = number > Int.max >> 8 ? Int.max : number << 4 | digit
        }
        return number
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte - 0x30)
        case 0x41...0x46: Int(byte - 0x41) + 10
        case 0x61...0x66: Int(byte - 0x61) + 10
        default: nil
        }
    }
}
