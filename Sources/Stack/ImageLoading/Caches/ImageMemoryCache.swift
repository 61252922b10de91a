/// An image with its HTTP freshness.
public struct CachedImage: Sendable {
    /// The image, decoded.
    public var image: RasterImage
    /// When it becomes stale, in seconds since 1970-01-01T00:00:00Z; `nil` if freshness is ignored.
    public var freshUntil: Duration?

    /// Creates an entry.
    public init(_ image: RasterImage, freshUntil: Duration? = nil) {
        self.image = image
        self.freshUntil = freshUntil
    }
}

/// A memory cache of images.
public protocol ImageMemoryCache: Sendable {
    /// Returns the entry of an identifier; this counts as a use.
    func entry(for identifier: String) -> CachedImage?
    /// Stores an entry, replacing the previous one.
    func store(_ entry: CachedImage, for identifier: String)
    /// Removes an entry; returns `false` if there was none.
    @discardableResult
    func removeImage(for identifier: String) -> Bool
    /// Removes all entries.
    func removeAllImages()
    /// Reduces memory usage in response to memory pressure.
    func relieve(_ pressure: MemoryPressure)
}

extension ImageMemoryCache {
    /// Returns the image of an identifier.
    public func image(for identifier: String) -> RasterImage? { entry(for: identifier)?.image }

    /// Stores an image without HTTP freshness.
    public func store(_ image: RasterImage, for identifier: String) {
        store(CachedImage(image), for: identifier)
    }

    /// Removes all entries.
    public func relieve(_ pressure: MemoryPressure) { removeAllImages() }
}

/// Entries are also found by request: the key is the absolute URL, regardless of the fields.
extension ImageMemoryCache {
    /// Returns the entry for a request; `variant` distinguishes several images of one URL.
    public func entry(for request: ImageRequest, variant: String? = nil) -> CachedImage? {
        entry(for: request.identifier(variant: variant))
    }

    /// Stores an entry for a request.
    public func store(_ entry: CachedImage, for request: ImageRequest, variant: String? = nil) {
        store(entry, for: request.identifier(variant: variant))
    }

    /// Removes the entry for a request; returns `false` if there was none.
    @discardableResult
    public func removeImage(for request: ImageRequest, variant: String? = nil) -> Bool {
        removeImage(for: request.identifier(variant: variant))
    }
}

extension ImageRequest {
    fileprivate func identifier(variant: String?) -> String { url + (variant ?? "") }
}

/// The unit of an image's cost in a memory cache.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ImageCost: Sendable, Hashable {
    /// The number of pixels: width × height in points × scale².
    case pixels
    /// The size of the pixels in bytes, four per pixel.
    case bytes

    /// Returns the cost of an image.
    public func of(_ image: RasterImage) -> Int {
        switch self {
        case .pixels: image.pixelCost
        case .bytes: image.byteCost
        }
    }
}
