import CacheClient
import CacheSemantics
public import Fetching
import Locks

/// The source of a loaded image.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ImageSource: String, Sendable, Hashable, CaseIterable {
    /// The network, or the HTTP cache below it; also of a load that brought no image.
    case network
    /// The memory cache.
    case memory
    /// The disk cache.
    case disk
}

/// A two-level image cache: memory over disk.
///
/// Disk operations run in order on a separate queue.
public final class ImageStore: Sendable {
    /// The settings of a store.
    public struct Configuration: Sendable {
        /// Whether images are stored in memory; default true.
        public var cachesInMemory = true
        /// Whether images are stored on disk, if there is a disk cache; default true.
        public var cachesOnDisk = true
        /// Whether images read from disk are decoded immediately; default true.
        public var decompresses = true
        /// Called after each write to disk with all files there, least recently written first; default none.
        ///
        /// It is called on the queue of disk operations, so `store` has usually returned by then.
        public var onInspection: (@Sendable ([DiskImageCache.File]) -> Void)?
        /// Returns the key for a URL; default the URL itself.
        public var key: @Sendable (_ url: String) -> String = { $0 }

        /// Creates the default configuration.
        public init() {}
    }
    /// The result of a query.
    public struct QueryResult: Sendable {
        /// The image and its freshness.
        public var entry: CachedImage
        /// The level that had it.
        public var source: ImageSource
    }
    /// An event of the program's life cycle at which the store may be cleaned.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum LifecycleEvent: Sendable, Hashable {
        /// The program is in the background.
        case background
        /// The program is about to end.
        case shutdown
        /// Memory is short.
        case memoryPressure
    }
    /// The settings of the store.
    public let configuration: Configuration
    /// The memory cache.
    public let memory: any ImageMemoryCache
    /// The disk cache; `nil` if there is none.
    public let disk: DiskImageCache?
    /// Decoders, encoders and their limits.
    public let codecs: ImageCodecs
    /// The queue of disk operations.
    public let queue: DiskQueue
    private let errors = Lock([ImageError]())

    /// Creates a store from its levels; by default, disk operations run on a separate thread.
    public init(
        _ configuration: Configuration = Configuration(),
        memory: any ImageMemoryCache = CostImageCache(),
        disk: DiskImageCache? = nil,
        codecs: ImageCodecs = ImageCodecs(),
        queue: DiskQueue = DiskQueue()
    ) {
        self.queue = queue
        self.configuration = configuration
        self.memory = memory
        self.disk = disk
        self.codecs = codecs
    }

    /// Returns the key for a URL.
    public func key(for url: String) -> String { configuration.key(url) }

    /// Returns the entry in memory; does not access the disk.
    public func imageInMemory(_ key: String) -> CachedImage? {
        configuration.cachesInMemory ? memory.entry(for: key) : nil
    }

    /// Looks up a key in memory, then on disk; an image from disk is also stored in memory.
    ///
    /// Returns `nil` if there is none.
    public func image(for key: String) async -> QueryResult? {
        if let entry = imageInMemory(key) { return QueryResult(entry: entry, source: .memory) }
        guard configuration.cachesOnDisk, disk != nil else { return nil }
        return await queue.run { self.imageOnDisk(key) }
    }

    /// Looks up a key and calls `completion` with the result.
    ///
    /// For a hit in memory, or without a key, `completion` is called before the method returns `nil`.
    /// Otherwise, it is called on `delivery`, unless the returned query is cancelled first.
    @discardableResult
    public func query(
        _ key: String?,
        on delivery: any DeliveryQueue,
        completion: (@Sendable (QueryResult?) -> Void)?
    ) -> StoreQuery? {
        guard let completion else { return nil }
        guard let key else {
            completion(nil)
            return nil
        }
        if let entry = imageInMemory(key) {
            completion(QueryResult(entry: entry, source: .memory))
            return nil
        }
        let query = StoreQuery()
        queue.add {
            guard !query.isCancelled else { return }
            let found = self.imageOnDisk(key)
            delivery.deliver { if !query.isCancelled { completion(found) } }
        }
        return query
    }

    /// Stores an image: in memory immediately, on disk asynchronously.
    ///
    /// `bytes` are written unchanged. Without them, or with `reencodes`, the image is encoded: as PNG if
    /// there are no bytes or they are a PNG, otherwise as JPEG of quality 1. Without an image or a key,
    /// nothing is stored.
    public func store(
        _ image: RasterImage?,
        bytes: [UInt8]? = nil,
        reencodes: Bool = false,
        for key: String?,
        onDisk: Bool = true,
        freshUntil: Duration? = nil,
        completion: (@Sendable () -> Void)? = nil
    ) {
        guard let image, let key else {
            completion?()
            return
        }
        if configuration.cachesInMemory {
            memory.store(CachedImage(image, freshUntil: freshUntil), for: key)
        }
        guard onDisk, configuration.cachesOnDisk, let disk else {
            completion?()
            return
        }
        queue.add {
            self.recordingErrors {
                () throws(ImageError) in
                let content = try self.content(image, bytes, reencodes)
                try disk.write(content, for: key, freshUntil: freshUntil)
            }
            self.configuration.onInspection?(disk.files())
            completion?()
        }
    }

    /// Sets the time at which the image of a key becomes stale.
    public func setFreshness(until moment: Duration?, for key: String) {
        if configuration.cachesInMemory, var entry = memory.entry(for: key) {
            entry.freshUntil = moment
            memory.store(entry, for: key)
        }
        guard configuration.cachesOnDisk, let disk else { return }
        queue.add {
            self.recordingErrors { () throws(ImageError) in try disk.setFreshness(until: moment, for: key) }
        }
    }

    /// Removes an image from memory and, by default, from disk.
    public func remove(_ key: String, fromDisk: Bool = true) async {
        memory.removeImage(for: key)
        guard fromDisk, let disk else { return }
        await queue.run { _ = disk.remove(key) }
    }

    /// Removes all images from memory.
    public func clearMemory() { memory.removeAllImages() }

    /// Removes all images from disk.
    public func clearDisk() async {
        guard let disk else { return }
        await queue.run { disk.removeAll() }
    }

    /// Waits for pending writes and returns the files on disk, least recently written first.
    public func diskFiles() async -> [DiskImageCache.File] {
        guard let disk else { return [] }
        return await queue.run { disk.files() }
    }

    /// Returns the number of files on disk and their bytes.
    public func diskSize() async -> CacheSize {
        guard let disk else { return CacheSize(files: 0, total: .zero) }
        return await queue.run { disk.size() }
    }

    /// Removes files on disk that are too old or exceed the size limit.
    @discardableResult
    public func clean() async -> DiskImageCache.Cleaning {
        guard let disk else { return DiskImageCache.Cleaning() }
        return await queue.run { disk.clean() }
    }

    /// Cleans the disk in the background and before shutdown, and memory under memory pressure.
    public func clean(on event: LifecycleEvent) async {
        switch event {
        case .background, .shutdown: await clean()
        case .memoryPressure: memory.relieve(.critical)
        }
    }

    /// The last disk errors, at most 100; an image that cannot be written is still delivered.
    public var failures: [ImageError] { errors.withLock { $0 } }

    private func imageOnDisk(_ key: String) -> QueryResult? {
        var found: QueryResult?
        recordingErrors { () throws(ImageError) in
            guard let file = try disk?.read(key) else { return }
            let image = try decoded(file, key)
            found = QueryResult(entry: CachedImage(image, freshUntil: file.freshUntil), source: .disk)
        }
        if let found, configuration.cachesInMemory { memory.store(found.entry, for: key) }
        return found
    }

    /// Decodes a file; removes it if it is not a valid image.
    private func decoded(_ file: DiskImageCache.Content, _ key: String) throws(ImageError) -> RasterImage {
        do throws(ImageError) {
            let scale = ImageScale.named(by: key)
            return try codecs.image(from: file.bytes, scale: scale, decompresses: configuration.decompresses)
        } catch {
            disk?.remove(key)
            throw error
        }
    }

    private func content(
        _ image: RasterImage,
        _ bytes: [UInt8]?,
        _ reencodes: Bool
    ) throws(ImageError) -> [UInt8] {
        if let bytes, !reencodes { return bytes }
        return try codecs.bytes(of: image, as: Self.format(of: bytes), quality: 1)
    }

    /// Returns the format for encoding; PNG, which is lossless, if the bytes are too few to identify their
    /// format.
    static func format(of bytes: [UInt8]?) -> ImageFormat {
        guard let bytes, bytes.count >= ImageFormat.pngSignature.count else { return .png }
        return bytes.starts(with: ImageFormat.pngSignature) ? .png : .jpeg
    }

    private func recordingErrors(_ work: () throws(ImageError) -> Void) {
        do throws(ImageError) {
            try work()
        } catch {
            errors.withLock { errors in
                if errors.count == 100 { errors.removeFirst() }
                errors.append(error)
            }
        }
    }
}

/// A pending lookup.
public final class StoreQuery: Sendable {
    private let state = Lock(false)

    /// Whether the lookup was cancelled.
    public var isCancelled: Bool { state.withLock { $0 } }

    /// Cancels the lookup: its completion is not called.
    public func cancel() { state.withLock { $0 = true } }
}
