/// The content of a request.
public enum RequestBody: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file, read while it is sent.
    case file(path: String)
    /// Pieces as they come; cannot be sent twice.
    // Indirect, because the stream's layout is known at run time only, and most requests have none that costs to copy.
    indirect case stream(UploadStream)

    /// Whether it can be sent again, for a redirect or on another connection.
    public var isRepeatable: Bool {
        if case .stream = self { false } else { true }
    }
}

/// Content that is made while it is sent.
public struct UploadStream: Sendable {
    /// Bytes in all; `nil` where that is not known, and the content is sent chunked.
    public let length: Int?
    /// The pieces; the producer is asked for the next only when the last few are sent.
    public let pieces: AsyncThrowingStream<[UInt8], any Error>

    /// Creates a stream.
    public init(length: Int? = nil, pieces: AsyncThrowingStream<[UInt8], any Error>) {
        self.length = length
        self.pieces = pieces
    }
}
