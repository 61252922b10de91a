/// Images in memory, at most so many pixels, bytes or pictures; least recently used ones go first.
public final class CostImageCache: RequestImageCache {
    private let cache: CostCache<String, CachedImage>
    private let cost: ImageCost
    private let subscription: PressureSubscription?

    /// Creates an empty cache.
    ///
    /// `costLimit` is in the unit of `cost`; 0, the default of both limits, is none. The cache gives up half of what it
    /// holds at a warning of `pressure`, and everything when memory is critical.
    public init(
        cost: ImageCost = .pixels,
        costLimit: Int = 0,
        countLimit: Int = 0,
        pressure: (any MemoryPressureSource)? = nil
    ) {
        let cache = CostCache<String, CachedImage>(costLimit: costLimit, countLimit: countLimit)
        self.cache = cache
        self.cost = cost
        subscription = pressure?.subscribe { cache.relieve($0) }
    }

    /// The entry of an identifier.
    public func entry(for identifier: String) -> CachedImage? { cache[identifier] }

    /// Keeps an entry at the cost of its image.
    public func store(_ entry: CachedImage, for identifier: String) {
        cache.insert(entry, for: identifier, cost: cost.of(entry.image))
    }

    /// Removes an entry.
    @discardableResult
    public func removeImage(for identifier: String) -> Bool { cache.remove(identifier) != nil }

    /// Removes everything.
    public func removeAllImages() { cache.removeAll() }

    /// Gives up half, or everything.
    public func relieve(_ pressure: MemoryPressure) { cache.relieve(pressure) }

    /// The sum of the costs.
    public var totalCost: Int { cache.totalCost }

    /// The number of images.
    public var count: Int { cache.count }
}
