import CacheClient
import Locks

/// Where a loaded image came from.
public enum ImageSource: String, Sendable, Hashable, CaseIterable {
    /// The network, or the HTTP cache below.
    case none
    /// Memory.
    case memory
    /// The disk.
    case disk
}

/// Two levels of images: memory over disk.
///
/// Disk work is done in order, away from the caller.
public final class ImageStore: Sendable {
    /// How a store behaves.
    public struct Configuration: Sendable {
        /// Whether images are kept in memory; default true.
        public var cachesInMemory = true
        /// Whether images are kept on disk, where there is a disk level; default true.
        public var cachesOnDisk = true
        /// Whether images from disk are decoded at once; default true.
        public var decompresses = true
        /// Maps a URL to its key; default the URL itself.
        public var key: @Sendable (_ url: String) -> String = { $0 }

        /// Creates the default configuration.
        public init() {}
    }
    /// What a query finds.
    public struct Found: Sendable {
        /// The image, with its freshness.
        public var entry: CachedImage
        /// Where it was.
        public var source: ImageSource
    }
    /// When the program is in a state in which cleaning disturbs nobody.
    public enum Occasion: Sendable, Hashable {
        /// Nobody looks.
        case background
        /// The program is about to end.
        case shutdown
        /// Memory is needed elsewhere.
        case memoryPressure
    }
    /// How the store behaves.
    public let configuration: Configuration
    /// The level in memory.
    public let memory: any ImageMemoryCache
    /// The level on disk; `nil` for none.
    public let disk: DiskImageCache?
    /// Decoders, encoders and their limits.
    public let codecs: ImageCodecs
    /// The queue of the disk's work.
    public let queue: DiskQueue
    private let troubles = Lock([ImageError]())

    /// Creates a store over its levels; by default the disk's work has a thread of its own.
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

    /// The key of a URL.
    public func key(for url: String) -> String { configuration.key(url) }

    /// What memory holds for a key; no disk is touched.
    public func imageInMemory(_ key: String) -> CachedImage? {
        configuration.cachesInMemory ? memory.entry(for: key) : nil
    }

    /// What is found for a key: memory first, then disk, whose image then is in memory too; `nil` for neither.
    public func image(for key: String) async -> Found? {
        if let entry = imageInMemory(key) { return Found(entry: entry, source: .memory) }
        guard configuration.cachesOnDisk, disk != nil else { return nil }
        return await queue.run { self.imageOnDisk(key) }
    }

    /// Looks a key up, and calls `completion` with what is found.
    ///
    /// A hit in memory, and a missing key, are answered before this returns, which then returns `nil`. Otherwise the answer
    /// comes on `delivery`, unless the returned query is cancelled first.
    @discardableResult
    public func query(
        _ key: String?,
        on delivery: any DeliveryQueue,
        completion: (@Sendable (Found?) -> Void)?
    ) -> StoreQuery? {
        guard let completion else { return nil }
        guard let key else {
            completion(nil)
            return nil
        }
        if let entry = imageInMemory(key) {
            completion(Found(entry: entry, source: .memory))
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

    /// Keeps an image: in memory at once, and on disk when its turn comes.
    ///
    /// `bytes` are written as they are. Without them, or with `reencodes`, the image is encoded: as PNG where there are no
    /// bytes or they are a PNG's, else as JPEG of quality 1. Without an image or a key nothing happens.
    public func store(
        _ image: RasterImage?,
        bytes: [UInt8]? = nil,
        reencodes: Bool = false,
        for key: String?,
        onDisk: Bool = true,
        freshUntil: Double? = nil,
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
            self.noting {
                () throws(ImageError) in
                let content = try self.content(image, bytes, reencodes)
                try disk.write(content, for: key, freshUntil: freshUntil)
            }
            completion?()
        }
    }

    /// Notes that what is kept for a key is fresh until another moment.
    public func setFreshness(until moment: Double?, for key: String) {
        if configuration.cachesInMemory, var entry = memory.entry(for: key) {
            entry.freshUntil = moment
            memory.store(entry, for: key)
        }
        guard configuration.cachesOnDisk, let disk else { return }
        queue.add { self.noting { () throws(ImageError) in try disk.setFreshness(until: moment, for: key) } }
    }

    /// Removes an image from memory, and by default from disk.
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

    /// The files on disk, the first written first, when everything that was stored before is there.
    public func diskFiles() async -> [DiskImageCache.File] {
        guard let disk else { return [] }
        return await queue.run { disk.files() }
    }

    /// Number and bytes of the files.
    public func diskSize() async -> (files: Int, bytes: Int) {
        guard let disk else { return (0, 0) }
        return await queue.run { disk.size() }
    }

    /// Removes what is too old or too much on disk.
    @discardableResult
    public func clean() async -> DiskImageCache.Cleaning {
        guard let disk else { return DiskImageCache.Cleaning() }
        return await queue.run { disk.clean() }
    }

    /// Cleans as the occasion asks for: the disk in the background and at the end, memory when it is short.
    public func clean(on occasion: Occasion) async {
        switch occasion {
        case .background, .shutdown: await clean()
        case .memoryPressure: memory.relieve(.critical)
        }
    }

    /// What went wrong on disk so far, the last 100 at most; an image that cannot be written is still delivered.
    public var failures: [ImageError] { troubles.withLock { $0 } }

    // MARK: Parts

    private func imageOnDisk(_ key: String) -> Found? {
        var found: Found?
        noting { () throws(ImageError) in
            guard let file = try disk?.read(key) else { return }
            let image = try decoded(file, key)
            found = Found(entry: CachedImage(image, freshUntil: file.freshUntil), source: .disk)
        }
        if let found, configuration.cachesInMemory { memory.store(found.entry, for: key) }
        return found
    }

    /// A file that is no image any more is of no use to anybody, and is removed.
    private func decoded(_ file: DiskImageCache.Found, _ key: String) throws(ImageError) -> RasterImage {
        do throws(ImageError) {
            let scale = ImageScale.named(by: key)
            return try codecs.image(
                from: file.bytes,
                scale: scale,
                decompresses: configuration.decompresses
            )
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

    /// The format that an image is encoded in: bytes too short to be told apart count as PNG, which loses nothing.
    static func format(of bytes: [UInt8]?) -> ImageFormat {
        guard let bytes, bytes.count >= ImageFormat.pngSignature.count else { return .png }
        return bytes.starts(with: ImageFormat.pngSignature) ? .png : .jpeg
    }

    private func noting(_ work: () throws(ImageError) -> Void) {
        do throws(ImageError) {
            try work()
        } catch {
            troubles.withLock { troubles in
                if troubles.count == 100 { troubles.removeFirst() }
                troubles.append(error)
            }
        }
    }
}

/// A look-up that has not been answered yet.
public final class StoreQuery: Sendable {
    private let state = Lock(false)

    /// Whether it will never be answered.
    public var isCancelled: Bool { state.withLock { $0 } }

    /// Sees to it that it is not answered any more.
    public func cancel() { state.withLock { $0 = true } }
}
