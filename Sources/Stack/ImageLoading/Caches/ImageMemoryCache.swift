/// An image with what HTTP says about how long it may be shown.
public struct CachedImage: Sendable {
    /// The image.
    public var image: RasterImage
    /// Seconds since 1970-01-01T00:00:00Z until which it is fresh; `nil` where freshness does not matter.
    public var freshUntil: Double?

    /// Creates an entry.
    public init(_ image: RasterImage, freshUntil: Double? = nil) {
        self.image = image
        self.freshUntil = freshUntil
    }
}

/// A level of images in memory; every image client takes any of them.
public protocol ImageMemoryCache: Sendable {
    /// The entry of an identifier, which counts as used.
    func entry(for identifier: String) -> CachedImage?
    /// Keeps an entry in place of the one before.
    func store(_ entry: CachedImage, for identifier: String)
    /// Removes an entry; false where there was none.
    @discardableResult
    func removeImage(for identifier: String) -> Bool
    /// Removes everything.
    func removeAllImages()
    /// Gives up what it can at a signal.
    func relieve(_ pressure: MemoryPressure)
}

extension ImageMemoryCache {
    /// The image of an identifier.
    public func image(for identifier: String) -> RasterImage? { entry(for: identifier)?.image }

    /// Keeps an image for which HTTP freshness does not matter.
    public func store(_ image: RasterImage, for identifier: String) {
        store(CachedImage(image), for: identifier)
    }

    /// Gives up everything.
    public func relieve(_ pressure: MemoryPressure) { removeAllImages() }
}

/// A level in memory that is asked by request: the key is the absolute URL, whatever the fields.
public protocol RequestImageCache: ImageMemoryCache {
    /// The entry for a request; an additional identifier tells variants of one URL apart.
    func entry(for request: ImageRequest, variant: String?) -> CachedImage?
    /// Keeps an entry for a request.
    func store(_ entry: CachedImage, for request: ImageRequest, variant: String?)
    /// Removes the entry of a request.
    @discardableResult
    func removeImage(for request: ImageRequest, variant: String?) -> Bool
}

extension RequestImageCache {
    /// By the identifier of the request.
    public func entry(for request: ImageRequest, variant: String? = nil) -> CachedImage? {
        entry(for: request.identifier(variant: variant))
    }

    /// By the identifier of the request.
    public func store(_ entry: CachedImage, for request: ImageRequest, variant: String? = nil) {
        store(entry, for: request.identifier(variant: variant))
    }

    /// By the identifier of the request.
    @discardableResult
    public func removeImage(for request: ImageRequest, variant: String? = nil) -> Bool {
        removeImage(for: request.identifier(variant: variant))
    }
}

extension ImageRequest {
    fileprivate func identifier(variant: String?) -> String { url + (variant ?? "") }
}

/// What an image costs in a memory cache.
public enum ImageCost: Sendable, Hashable {
    /// Width × height × scale², in points: its pixels.
    case pixels
    /// Four bytes a pixel.
    case bytes

    /// The cost of an image.
    public func of(_ image: RasterImage) -> Int {
        switch self {
        case .pixels: image.pixelCost
        case .bytes: image.byteCost
        }
    }
}
