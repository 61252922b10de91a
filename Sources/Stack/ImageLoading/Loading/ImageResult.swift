public import HTTPTypes

/// One delivery of a load.
public struct ImageResult: Sendable {
    /// The image; `nil` for a failure, a veto, and a transformation without result.
    public var image: RasterImage?
    /// Why there is no image; `nil` where nobody made a mistake.
    public var error: ImageError?
    /// Where the image was.
    public var source: ImageSource
    /// Whether nothing follows.
    public var isFinal: Bool
    /// The URL that was asked for.
    public var url: String
    /// The origin's bytes, where they came over the network in this load.
    public var bytes: [UInt8]?
    /// The head it came with, where it came over the network in this load.
    public var response: HTTPResponse?
    /// Whether the origin has confirmed that a cached image is still the right one.
    public var isNotModified = false

    init(
        _ image: RasterImage?,
        _ error: ImageError? = nil,
        source: ImageSource = .none,
        isFinal: Bool = true,
        url: String,
        bytes: [UInt8]? = nil
    ) {
        self.image = image
        self.error = error
        self.source = source
        self.isFinal = isFinal
        self.url = url
        self.bytes = bytes
    }
}

/// What a load has come to, in the order in which it happens.
public enum ImageLoadMilestone: String, Sendable, Hashable, CaseIterable {
    /// The URL can be asked for.
    case validated
    /// Memory was asked.
    case memoryQueried
    /// The disk was asked.
    case diskQueried
    /// A download was begun or joined.
    case downloadBegun
    /// The image is decoded.
    case decoded
    /// Memory has the image.
    case storedInMemory
    /// The disk has the image.
    case storedOnDisk
    /// The caller is told.
    case delivered
}

/// Whether HTTP decides how long a cached image is shown.
public enum ImageFreshness: Sendable, Hashable {
    /// A cached image is shown until it is removed.
    case ignored
    /// A cached image whose freshness is over is validated first: unchanged it is delivered as not modified.
    case http
}
