public import CacheClient
import CacheSemantics
public import HTTPTypes

/// How a download ended well.
public enum DownloadOutcome: Sendable {
    /// With content.
    case image(DownloadedImage)
    /// With nothing new: a 304 to the caller's own condition, or an answer of the HTTP cache that was to be ignored.
    case unchanged(freshUntil: Double?)

    /// The content; `nil` for nothing new.
    public var content: DownloadedImage? {
        if case .image(let image) = self { image } else { nil }
    }
}

/// What a download brought.
public struct DownloadedImage: Sendable {
    /// The image; `nil` only for empty content where that is allowed.
    public var image: RasterImage?
    /// The origin's bytes, content codings taken off.
    public var bytes: [UInt8]
    /// The head it came with.
    public var response: HTTPResponse
    /// Whether the origin sent it, or the HTTP cache had it.
    public var source: ResponseSource
    /// Wall seconds until which HTTP says it is fresh; `nil` where it says nothing.
    public var freshUntil: Double?

    /// Whether the HTTP cache had it.
    public var isFromURLCache: Bool { source != .origin }
}

/// Content that has arrived so far.
public struct ImageProgress: Sendable, Hashable {
    /// Bytes so far, content codings taken off.
    public var received: Int
    /// Bytes in all as announced; 0 where nothing was.
    public var expected: Int

    /// Creates a progress.
    public init(received: Int, expected: Int) {
        self.received = received
        self.expected = expected
    }
}

/// How a download is sent, which those share that are joined.
struct DownloadKind: Sendable, Hashable {
    var url: String
    var fields: HTTPFields
    var usesURLCache: Bool
    var policy: RequestCachePolicy?
    var handlesCookies: Bool
    var allowsInvalidCertificates = false
}
