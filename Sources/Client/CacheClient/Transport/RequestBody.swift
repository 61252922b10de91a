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

extension RequestBody {
    /// Returns the bytes of a text in UTF-8.
    public static func text(_ text: String) -> RequestBody { .bytes(Array(text.utf8)) }
}

/// Content that is produced while it is sent.
public struct UploadStream: Sendable {
    /// The total size; `nil` if it is unknown, and the content is sent chunked.
    ///
    /// If the pieces have more or fewer bytes, the request fails with `TransportError.Kind.bodyExhausted`. The last byte is sent
    /// once the stream has ended.
    public let length: ByteCount?
    /// Passes the pieces on, one after another, until `take` returns false.
    let forEach: @Sendable (_ take: @Sendable ([UInt8]) async -> Bool) async throws -> Void

    /// Creates a stream of any asynchronous sequence of pieces, such as arrays of bytes or `Data`.
    ///
    /// It is iterated once, when the request is sent; the next piece is requested only when the last few have been sent. An
    /// error of the sequence fails the request with `TransportError.Kind.bodyExhausted`.
    public init<Pieces: AsyncSequence & Sendable>(length: ByteCount? = nil, pieces: Pieces)
    where Pieces.Element: Sequence<UInt8> {
        self.length = length
        forEach = { take in
            for try await piece in pieces {
                guard await take(Array(piece)) else { return }
            }
        }
    }
}
