public import CacheSemantics

/// The content of a request.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum RequestBody: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file, read while it is sent.
    case file(path: String)
    /// Pieces as they are produced; cannot be sent twice.
    // Indirect, because the stream's layout is only known at run time, and copying it would cost requests without a
    // stream.
    indirect case stream(UploadStream)

    /// Whether it can be sent again, for a redirect or on another connection.
    public var isRepeatable: Bool {
        if case .stream = self { false } else { true }
    }
}

/// Content that is produced while it is sent.
public struct UploadStream: Sendable {
    /// The total size; `nil` if it is unknown, and the content is sent chunked.
    ///
    /// If the pieces have more or fewer bytes, the request fails with `TransportError.Kind.bodyExhausted`. The last byte is sent
    /// once the stream has ended.
    public let length: ByteCount?
    /// The pieces; the next one is requested only when the last few have been sent.
    public let pieces: AsyncThrowingStream<[UInt8], any Error>

    /// Creates a stream.
    public init(length: ByteCount? = nil, pieces: AsyncThrowingStream<[UInt8], any Error>) {
        self.length = length
        self.pieces = pieces
    }
}
