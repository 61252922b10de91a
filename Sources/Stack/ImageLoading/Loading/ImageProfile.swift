public import CacheClient
public import CacheStorage
public import Clocks

/// The constants of one of the documents' image libraries, as settings of the parts that all of them share.
public struct ImageProfile: Sendable {
    /// What the memory level is.
    public enum Memory: Sendable, Hashable {
        /// By cost, least recently used first; a limit of 0 is none.
        case byCost(ImageCost, limit: Int)
        /// Auto-purging.
        case autoPurging(capacity: Int, preferredUsage: Int)
    }
    /// What the level on disk is.
    public struct Disk: Sendable {
        /// How keys become names.
        public var naming: FileNaming
        /// Seconds after which a cleaning removes a file; `nil` for never.
        public var ageLimitSeconds: Double?
        /// Bytes above which a cleaning removes files; 0 for no limit.
        public var sizeLimit: Int
        /// What goes first.
        public var eviction: EvictionRule
    }
    /// The level in memory.
    public var memory: Memory
    /// The level on disk; `nil` for none.
    public var disk: Disk?
    /// How images are downloaded.
    public var downloads = ImageDownloader.Configuration()
    /// How loads behave.
    public var loads = ImageLoader.Configuration()
    /// How slots behave.
    public var slots = ImageSlot.Behaviour()
    /// Bytes of the HTTP cache below, in memory and on disk.
    public var urlCacheCapacity = (memory: 0, disk: 0)

    /// SDWebImage: six at a time, 15 s, MD5 names with extension, a week on disk, oldest to half, no HTTP cache by default.
    public static var sdWebImage: ImageProfile {
        var profile = weekOnDisk(.md5WithExtension)
        profile.loads.failureRule = .documented
        profile.loads.checksFailuresBeforeCache = true
        profile.loads.failureLifetime = nil
        return profile
    }

    /// AFNetworking: four at a time, 60 s, an auto-purging memory cache of 100 MiB over an HTTP cache of 20 and 150 MiB.
    public static var afNetworking: ImageProfile {
        var profile = ImageProfile(memory: .autoPurging(capacity: 100 << 20, preferredUsage: 60 << 20))
        profile.downloads.concurrency = 4
        profile.downloads.timeout = .seconds(60)
        profile.downloads.usesURLCache = true
        profile.downloads.acceptableTypes = [
            "image/tiff", "image/jpeg", "image/gif", "image/png", "image/ico", "image/x-icon", "image/bmp",
            "image/x-bmp", "image/x-xbitmap", "image/x-win-bitmap", "image/webp",
        ]
        profile.loads.failureRule = .never
        profile.loads.tellsCancelled = true
        profile.slots = .afNetworking
        profile.urlCacheCapacity = (20 << 20, 150 << 20)
        return profile
    }

    /// SQFetchManager: six at a time, PNG files named by SHA-1, a week on disk, over the HTTP cache.
    public static var sqFetch: ImageProfile {
        var profile = weekOnDisk(.sha1)
        profile.downloads.usesURLCache = true
        profile.loads.reencodesAsPNG = true
        return profile
    }

    /// Memory without limit over a week on disk, above the HTTP cache of the system's default size.
    private static func weekOnDisk(_ naming: FileNaming) -> ImageProfile {
        var profile = ImageProfile(memory: .byCost(.pixels, limit: 0))
        profile.disk = Disk(
            naming: naming,
            ageLimitSeconds: 604_800,
            sizeLimit: 0,
            eviction: .oldestToHalf
        )
        profile.urlCacheCapacity = (4 << 20, 20 << 20)
        return profile
    }

    /// Makes a loader with these constants.
    ///
    /// `directory` is a folder of its own: images are in `images`, the HTTP cache is in `http`. Without it everything
    /// is in memory. Disk work has a thread of its own, or is done where downloads are worked on, if that is said.
    /// Throws where the HTTP cache cannot be opened.
    public func loader(
        directory: String?,
        transport: any Transport,
        clock: any TimeSource,
        delivery: any DeliveryQueue = SerialDelivery(),
        pressure: (any MemoryPressureSource)? = nil,
        codecs: ImageCodecs = ImageCodecs()
    ) throws(StorageError) -> ImageLoader {
        var storage = CacheStore.Configuration(directory: directory.map { $0 + "/http" })
        storage.memoryCapacity = urlCacheCapacity.memory
        storage.diskCapacity = urlCacheCapacity.disk
        let downloader = ImageDownloader(
            downloads,
            transport: transport,
            urlCache: try CacheStore(storage, clock: clock),
            clock: clock,
            delivery: delivery,
            codecs: codecs
        )
        let store = ImageStore(
            memory: memoryCache(clock, pressure),
            disk: directory.flatMap { diskCache($0 + "/images", clock) },
            codecs: codecs,
            queue: downloads.executor.map { DiskQueue(on: $0) } ?? DiskQueue()
        )
        return ImageLoader(loads, store: store, downloader: downloader)
    }

    private func memoryCache(
        _ clock: any TimeSource,
        _ pressure: (any MemoryPressureSource)?
    ) -> any ImageMemoryCache {
        switch memory {
        case .byCost(let cost, let limit): CostImageCache(cost: cost, costLimit: limit, pressure: pressure)
        case .autoPurging(let capacity, let preferred):
            AutoPurgingImageCache(
                capacity: capacity,
                preferredUsage: preferred,
                clock: clock,
                pressure: pressure
            )
        }
    }

    private func diskCache(_ directory: String, _ clock: any TimeSource) -> DiskImageCache? {
        guard let disk else { return nil }
        var configuration = DiskImageCache.Configuration(directory: directory)
        configuration.naming = disk.naming
        configuration.ageLimitSeconds = disk.ageLimitSeconds
        configuration.sizeLimit = disk.sizeLimit
        configuration.eviction = disk.eviction
        return DiskImageCache(configuration, clock: clock)
    }
}
