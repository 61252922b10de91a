/// A memory cache of images with limits on cost and count, which removes the least recently used images
/// first.
public final class CostImageCache: ImageMemoryCache {
    private let cache: CostCache<String, CachedImage>
    private let cost: ImageCost
    private let subscription: PressureSubscription?

    /// Creates an empty cache.
    ///
    /// `costLimit` is in the unit of `cost`; for both limits, `nil`, the default, is none. The cache removes
    /// half of its images at a warning of `pressure`, and all under critical pressure.
    public init(
        cost: ImageCost = .pixels,
        costLimit: Int? = nil,
        countLimit: Int? = nil,
        pressure: (any MemoryPressureSource)? = nil
    ) {
        let cache = CostCache<String, CachedImage>(costLimit: costLimit, countLimit: countLimit)
        self.cache = cache
        self.cost = cost
        subscription = pressure?.subscribe { cache.relieve($0) }
    }

    /// Returns the entry of an identifier.
    public func entry(for identifier: String) -> CachedImage? { cache[identifier] }

    /// Stores an entry at the cost of its image.
    public func store(_ entry: CachedImage, for identifier: String) {
        cache.insert(entry, for: identifier, cost: cost.of(entry.image))
    }

    /// Removes an entry.
    @discardableResult
    public func removeImage(for identifier: String) -> Bool { cache.remove(identifier) != nil }

    /// Removes all images.
    public func removeAllImages() { cache.removeAll() }

    /// Removes half of the images at a warning, and all under critical pressure.
    public func relieve(_ pressure: MemoryPressure) { cache.relieve(pressure) }

    /// The total cost of all images.
    public var totalCost: Int { cache.totalCost }

    /// The number of images.
    public var count: Int { cache.count }
}
