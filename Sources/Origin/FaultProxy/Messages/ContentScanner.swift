import HTTPServing

/// A way to mark the end of a message's content (RFC 9112 §6).
enum ContentFraming: Sendable, Hashable {
    /// There is no content.
    case none
    /// This many bytes.
    case length(Int)
    /// In chunks.
    case chunked
    /// By the end of the connection; also where the framing is not understood, so that all is passed on.
    case untilClose

    /// Reads the framing of a head; `otherwise` is that of one without fields about it.
    init(_ head: HeadBytes, otherwise: ContentFraming) {
        if head.has(FieldName.transferEncoding) {
            self = head.members(FieldName.transferEncoding).last == "chunked" ? .chunked : .untilClose
            return
        }
        let lengths = head.members(FieldName.contentLength)
        guard let text = lengths.first else {
            self = otherwise
            return
        }
        let isNumber =
            lengths.allSatisfy { $0 == text } && text.utf8.allSatisfy { (48...57).contains($0) }
        self = (isNumber ? Int(text) : nil).map { .length($0) } ?? .untilClose
    }
}

/// Follows the content of a message through its bytes.
struct ContentScanner: Sendable {
    /// The kind of some bytes.
    enum Part: Sendable, Hashable {
        case content
        /// Of chunks, between their contents.
        case framing
        /// The last chunk with its trailers.
        case end
    }
    private enum Phase: Sendable {
        case counted(Int)
        case chunked(ChunkReader)
        case unlimited
        case complete
    }
    private var phase: Phase
    /// Bytes of content; `nil` if that is not known beforehand.
    let total: Int?
    /// Whether the chunks could not be parsed, so that all that follows counts as content.
    private(set) var isMalformed = false

    init(_ framing: ContentFraming) {
        switch framing {
        case .none: (phase, total) = (.complete, 0)
        case .length(let count): (phase, total) = (count == 0 ? .complete : .counted(count), count)
        case .chunked: (phase, total) = (.chunked(ChunkReader(limit: .max)), nil)
        case .untilClose: (phase, total) = (.unlimited, nil)
        }
    }

    /// Whether the message is complete.
    var isComplete: Bool { if case .complete = phase { true } else { false } }

    /// Whether the content ends with the connection.
    var endsWithConnection: Bool { if case .unlimited = phase { true } else { false } }

    /// Returns the kind and the number of the first bytes; `nil` before more has come.
    mutating func next(_ bytes: ArraySlice<UInt8>) -> (part: Part, count: Int)? {
        guard !bytes.isEmpty else { return nil }
        switch phase {
        case .complete: return nil
        case .unlimited: return (.content, bytes.count)
        case .counted(let left):
            let count = min(left, bytes.count)
            phase = count == left ? .complete : .counted(left - count)
            return (.content, count)
        case .chunked(var reader):
            let step = bytes.withUnsafeBufferPointer { reader.next($0) }
            phase = .chunked(reader)
            return chunk(step, isEnd: reader.isInTrailers, bytes.count)
        }
    }

    private mutating func chunk(_ step: ChunkReader.Step, isEnd: Bool, _ count: Int) -> (Part, Int)? {
        switch step {
        case .framing(let count): return (isEnd ? .end : .framing, count)
        case .content(let count): return (.content, count)
        case .incomplete: return nil
        case .end(let count):
            phase = .complete
            return (.end, count)
        case .refused:
            // What the proxy does not understand it passes on.
            (phase, isMalformed) = (.unlimited, true)
            return (.content, count)
        }
    }
}
