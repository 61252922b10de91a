/// A request whose head was read and whose content is arriving.
struct IncomingRequest {
    let method: String
    var content: IncomingContent
    /// Whether the client waits for 100 (Continue) before it sends content.
    var owesContinue: Bool

    /// Returns whether a 100 (Continue) is to be sent, once.
    mutating func takeContinue() -> Bool {
        defer { owesContinue = false }
        return owesContinue
    }
}

/// The rest of a request's content.
enum IncomingContent {
    /// The extent to which the content has been read.
    enum State {
        case incomplete
        case complete
        case refused(RequestProblem)
    }
    case length(Int)
    case chunked(ChunkReader)

    /// Creates the content that a head announces, of at most `limit` bytes.
    init(_ check: RequestCheck, limit: Int) {
        self = check.hasCoding ? .chunked(ChunkReader(limit: limit)) : .length(check.length ?? 0)
    }

    /// Adds the content at the start of `bytes` to `body`; returns the number of bytes that were used.
    mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, into body: inout [UInt8]) -> (used: Int, State) {
        switch self {
        case .length(let left):
            let count = min(left, bytes.count)
            body.append(contentsOf: bytes[..<count])
            self = .length(left - count)
            return (count, count == left ? .complete : .incomplete)
        case .chunked(var reader):
            defer { self = .chunked(reader) }
            return Self.take(bytes, &reader, into: &body)
        }
    }

    private static func take(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ reader: inout ChunkReader,
        into body: inout [UInt8]
    ) -> (used: Int, State) {
        var used = 0
        while true {
            let rest = UnsafeBufferPointer(rebasing: bytes[used...])
            switch reader.next(rest) {
            case .framing(let count): used += count
            case .content(let count):
                body.append(contentsOf: rest[..<count])
                used += count
            case .incomplete: return (used, .incomplete)
            case .end(let count): return (used + count, .complete)
            case .refused(let problem): return (used, .refused(problem))
            }
        }
    }
}
