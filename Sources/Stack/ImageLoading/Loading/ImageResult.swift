public import HTTPTypes

/// A result of a load.
public struct ImageResult: Sendable {
    /// The image; `nil` after a failure, without permission to download, or if the transformation discarded
    /// it.
    public var image: RasterImage?
    /// The error; `nil` if there was none.
    public var error: ImageError?
    /// The source of the image.
    public var source: ImageSource
    /// Whether no other result follows; false for a partial image and for a cached one that is refreshed.
    public var isFinal: Bool
    /// The requested URL.
    public var url: String
    /// The content, if it was received from the network in this load.
    public var bytes: [UInt8]?
    /// The response's status and header fields, if it was received from the network in this load.
    public var response: HTTPResponse?
    /// Whether the cached image was confirmed: by the origin, or by a fresh response in the HTTP cache.
    public var isNotModified = false

    init(
        _ image: RasterImage?,
        _ error: ImageError? = nil,
        source: ImageSource = .network,
        isFinal: Bool = true,
        url: String
    ) {
        self.image = image
        self.error = error
        self.source = source
        self.isFinal = isFinal
        self.url = url
    }
}

/// The milestones of a load, in chronological order.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ImageLoadMilestone: String, Sendable, Hashable, CaseIterable {
    /// The URL may be loaded.
    case validated
    /// Memory was queried.
    case memoryQueried
    /// The disk was queried.
    case diskQueried
    /// A download was started or joined.
    case downloadBegun
    /// The image was decoded.
    case decoded
    /// The image was stored in memory.
    case storedInMemory
    /// The image was stored on disk.
    case storedOnDisk
    /// The result was delivered to the caller.
    case delivered
}

/// Whether HTTP freshness applies to cached images.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ImageFreshness: Sendable, Hashable {
    /// A cached image is used until it is removed.
    case ignored
    /// A stale image is validated before its use; an unchanged one is delivered as not modified.
    case http
}
