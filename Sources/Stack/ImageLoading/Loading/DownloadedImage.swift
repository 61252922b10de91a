public import CacheClient
public import CacheSemantics
public import HTTPTypes

/// The outcome of a successful download.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum DownloadOutcome: Sendable {
    /// New content.
    case image(DownloadedImage)
    /// No new content: a 304 in response to the caller's own condition, or a response of the HTTP cache to be
    /// ignored.
    case unchanged(freshUntil: Duration?)

    /// The content; `nil` if it is unchanged.
    public var content: DownloadedImage? {
        if case .image(let image) = self { image } else { nil }
    }
}

/// The content of a download.
public struct DownloadedImage: Sendable {
    /// The image; `nil` only for empty content, if that is allowed.
    public var image: RasterImage?
    /// The content without content coding.
    public var bytes: [UInt8]
    /// The response's status and header fields.
    public var response: HTTPResponse
    /// Whether the response came from the origin or the HTTP cache.
    public var source: ResponseSource
    /// When it becomes stale, since 1970-01-01T00:00:00Z; `nil` if the response does not specify it.
    public var freshUntil: Duration?

    /// Whether the HTTP cache was used.
    public var isFromURLCache: Bool { source != .origin }
}

/// The progress of a download.
public struct ImageProgress: Sendable, Hashable {
    /// The size of what was received, without content coding.
    public var received: ByteCount
    /// The expected size; zero if unknown.
    public var expected: ByteCount

    /// Creates a progress.
    public init(received: ByteCount, expected: ByteCount) {
        self.received = received
        self.expected = expected
    }
}

/// The properties that downloads must have in common to share a transfer.
struct DownloadKind: Sendable, Hashable {
    var url: String
    var fields: HTTPFields
    var usesURLCache: Bool
    var policy: RequestCachePolicy?
    var handlesCookies: Bool
    var allowsInvalidCertificates = false
}
