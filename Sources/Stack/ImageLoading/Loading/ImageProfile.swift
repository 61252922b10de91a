public import CacheClient
public import CacheSemantics
public import CacheStorage
public import Clocks

/// The constants of one of the documents' image libraries, as settings of the shared components.
public struct ImageProfile: Sendable {
    /// The kind of memory cache.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Memory: Sendable, Hashable {
        /// Limited by cost, least recently used first; `nil` is no limit.
        case byCost(ImageCost, limit: Int?)
        /// Auto-purging.
        case autoPurging(capacity: ByteCount, preferredUsage: ByteCount)
    }
    /// The settings of a disk cache.
    public struct Disk: Sendable {
        /// The rule that derives file names from keys.
        public var naming: FileNaming
        /// The age at which a cleaning removes a file; `nil` means never.
        public var ageLimit: Duration?
        /// The size above which a cleaning removes files; `nil` for no limit.
        public var sizeLimit: ByteCount?
        /// The order and target of eviction.
        public var eviction: EvictionRule
    }
    /// The memory cache.
    public var memory: Memory
    /// The disk cache; `nil` if there is none.
    public var disk: Disk?
    /// The settings of downloads.
    public var downloads = ImageDownloader.Configuration()
    /// The settings of loads.
    public var loads = ImageLoader.Configuration()
    /// The settings of the two image levels.
    public var images = ImageStore.Configuration()
    /// The capacity of the HTTP cache, in memory and on disk; `.zero`, the default, is none.
    public var urlCacheCapacity = (memory: ByteCount.zero, disk: ByteCount.zero)
    /// The HTTP cache of `sharedLoader()`; default the shared URL cache.
    public var sharedURLCache = SharedStore.urlCache

    /// SDWebImage in the documented version: six transfers, 15 s, MD5 names with extension, one week on disk, oldest to
    /// half, no HTTP cache by default.
    public static var sdWebImage: ImageProfile {
        var profile = weekOnDisk(.md5WithExtension)
        profile.loads.failureRule = .documented
        profile.loads.checksFailuresBeforeCache = true
        profile.loads.failureLifetime = nil
        return profile
    }

    /// SDWebImage 5.21 where it differs from the documented version: content that is not an image and lasting network
    /// errors are recorded, HTTP statuses are not; a recorded URL fails with 1003; files expire one week after they were
    /// last read.
    public static var sdWebImage5: ImageProfile {
        var profile = sdWebImage
        profile.loads.failureRule = .sdWebImage5
        profile.loads.recordedFailure = .blacklisted
        profile.disk?.eviction = EvictionRule(order: .leastRecentlyUsed, target: .belowHalf)
        return profile
    }

    /// AFNetworking: four transfers, 60 s, an auto-purging memory cache of 100 MiB over an HTTP cache of 20
    /// and 150 MiB.
    ///
    /// Of the media types that AFNetworking accepts, a loader accepts those that its codecs can decode.
    public static var afNetworking: ImageProfile {
        var profile = ImageProfile(
            memory: .autoPurging(capacity: .mebibytes(100), preferredUsage: .mebibytes(60))
        )
        profile.downloads.concurrency = 4
        profile.downloads.timeout = .seconds(60)
        profile.downloads.usesURLCache = true
        profile.downloads.acceptableTypes = [
            "image/tiff", "image/jpeg", "image/gif", "image/png", "image/ico", "image/x-icon", "image/bmp",
            "image/x-bmp", "image/x-xbitmap", "image/x-win-bitmap", "image/webp",
        ]
        profile.loads.failureRule = .never
        profile.loads.reportsCancellation = true
        profile.slots = .afNetworking
        profile.urlCacheCapacity = (.mebibytes(20), .mebibytes(150))
        profile.sharedURLCache = .imageDownloads
        return profile
    }

    /// SQFetchManager: six transfers, PNG files named by SHA-1, one week on disk, over the HTTP cache.
    public static var sqFetch: ImageProfile {
        var profile = weekOnDisk(.sha1)
        profile.downloads.usesURLCache = true
        profile.loads.reencodesAsPNG = true
        return profile
    }

    /// Returns an unlimited memory cache over one week on disk, above an HTTP cache of the system's default size.
    private static func weekOnDisk(_ naming: FileNaming) -> ImageProfile {
        var profile = ImageProfile(memory: .byCost(.pixels, limit: nil))
        profile.disk = Disk(
            naming: naming,
            ageLimit: .seconds(604_800),
            sizeLimit: nil,
            eviction: .oldestToHalf
        )
        profile.urlCacheCapacity = (.mebibytes(4), .mebibytes(20))
        return profile
    }

    /// The behaviour of slots that use the loader.
    public var slots: ImageSlot.Behaviour {
        get { loads.slots }
        set { loads.slots = newValue }
    }

    /// Creates a loader with these constants.
    ///
    /// `directory` is a folder for the loader alone: images are stored in `images`, the HTTP cache in `http`, unless
    /// `urlCache` is one to use, such as an application's own or that of a `SharedStore`. Without a directory, everything
    /// is kept in memory. Disk operations run on the executor of the downloads, if one is set, otherwise on a separate
    /// thread. `pressure` reduces the images in memory; the default is the kernel's, if it reports any. Throws if the
    /// HTTP cache cannot be opened.
    public func loader(
        directory: String?,
        transport: any Transport,
        clock: any TimeSource,
        delivery: any DeliveryQueue = SerialDelivery(),
        pressure: (any MemoryPressureSource)? = KernelMemoryPressureSource.shared.value,
        codecs: ImageCodecs = ImageCodecs(),
        urlCache: (any ResponseStore)? = nil
    ) throws(StorageError) -> ImageLoader {
        let store: any ResponseStore
        if let urlCache {
            store = urlCache
        } else {
            store = try self.urlCache(directory: directory, clock: clock)
        }
        var downloads = downloads
        downloads.acceptableTypes?.formIntersection(codecs.mediaTypes)
        let downloader = ImageDownloader(
            downloads,
            transport: transport,
            urlCache: store,
            clock: clock,
            delivery: delivery,
            codecs: codecs
        )
        let images = imageStore(directory: directory, clock: clock, pressure: pressure, codecs: codecs)
        return ImageLoader(loads, store: images, downloader: downloader)
    }

    /// Creates a loader in the program's caches, which uses the HTTP cache that the program shares: for AFNetworking that of
    /// its image downloader.
    ///
    /// Files are in the folder `name` of the program's caches, as `SharedStore` describes. The expiry of the shared cache
    /// applies, unless the downloads have their own. Throws if the HTTP cache cannot be opened.
    public func sharedLoader(named name: String = "image-loader", codecs: ImageCodecs = ImageCodecs())
        throws(StorageError) -> ImageLoader
    {
        var profile = self
        profile.downloads.expirationInterval =
            downloads.expirationInterval ?? sharedURLCache.expirationInterval
        return try profile.loader(
            directory: SharedStore.folder(name),
            transport: CachingClient.defaultTransport(),
            clock: SystemClock(),
            codecs: codecs,
            urlCache: sharedURLCache.store
        )
    }

    /// Creates the two image levels with these constants; on disk in `images` below `directory`, if there is one.
    public func imageStore(
        directory: String?,
        clock: any TimeSource,
        pressure: (any MemoryPressureSource)? = KernelMemoryPressureSource.shared.value,
        codecs: ImageCodecs = ImageCodecs()
    ) -> ImageStore {
        ImageStore(
            images,
            memory: memoryCache(clock, pressure),
            disk: directory.flatMap { diskCache($0 + "/images", clock) },
            codecs: codecs,
            queue: downloads.executor.map { DiskQueue(on: $0) } ?? DiskQueue()
        )
    }

    /// Opens the HTTP cache with these capacities, in `http` below `directory`, or in memory only.
    func urlCache(directory: String?, clock: any TimeSource) throws(StorageError) -> CacheStore {
        var storage = CacheStore.Configuration(directory: directory.map { $0 + "/http" })
        storage.memoryCapacity = urlCacheCapacity.memory
        storage.diskCapacity = urlCacheCapacity.disk
        return try CacheStore(storage, clock: clock)
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
        configuration.ageLimit = disk.ageLimit
        configuration.sizeLimit = disk.sizeLimit
        configuration.eviction = disk.eviction
        return DiskImageCache(configuration, clock: clock)
    }
}
