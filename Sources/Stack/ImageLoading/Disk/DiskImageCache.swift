public import CacheSemantics
public import Clocks
public import Fetching
import Locks

/// A disk cache of images, stored unmodified in files whose names derive from their keys.
///
/// Methods that access files block; `ImageStore` calls them on its queue. Several caches, including those of
/// other processes, may share a folder.
public final class DiskImageCache: Sendable {
    /// The settings of a disk cache.
    public struct Configuration: Sendable {
        /// The folder, which is created at the first write; it must not contain other files.
        public var directory: String
        /// The rule that derives file names from keys; default MD5 with the extension of the URL's path.
        public var naming = FileNaming.md5WithExtension
        /// The age at which a cleaning removes a file; default one week, `nil` or a negative value for never.
        public var ageLimit: Duration? = .seconds(604_800)
        /// The size above which a cleaning removes files; default `nil`, no limit.
        public var sizeLimit: ByteCount?
        /// The order and target of eviction.
        public var eviction = EvictionRule.oldestToHalf
        /// The size with which a cleaning counts a file, given its length and its allocated size; default
        /// the latter.
        public var countedSize: @Sendable (_ length: ByteCount, _ allocated: ByteCount) -> ByteCount = { $1 }

        /// Creates the default configuration for a folder.
        public init(directory: String) { self.directory = directory }
    }
    /// The content of a key's file.
    public struct Content: Sendable {
        /// The bytes of the file.
        public var bytes: [UInt8]
        /// When it becomes stale, since 1970-01-01T00:00:00Z; `nil` if freshness is ignored.
        public var freshUntil: Duration?
    }
    /// A file of the cache.
    public struct File: Sendable, Hashable {
        /// The file name.
        public var name: String
        /// The length of its content.
        public var length: ByteCount
        /// The size allocated on disk.
        public var allocated: ByteCount
        /// When it was written, since 1970-01-01T00:00:00Z.
        public var writtenAt: Duration
        /// When it was last read, since 1970-01-01T00:00:00Z; only maintained by a cache that evicts by use.
        public var readAt: Duration
        /// When the file system created it, by the system's clock, since 1970-01-01T00:00:00Z; `nil` if it does not record that.
        public var createdAt: Duration?
        /// The user ID of its owner.
        public var owner: UInt32
    }
    /// The result of a cleaning.
    public struct Cleaning: Sendable, Hashable {
        /// The number of files removed because of their age.
        public var expired = 0
        /// The number of files removed because the size limit was exceeded.
        public var evicted = 0
        /// The number of remaining files.
        public var left = 0
        /// The counted size of the remaining files.
        public var leftSize = ByteCount.zero
    }
    /// The settings of the cache.
    public let configuration: Configuration
    private let folder: ImageFolder
    private let clock: any TimeSource
    private let remove: @Sendable (ImageFolder, String) -> Bool

    /// Creates a cache; does not access the disk.
    public convenience init(_ configuration: Configuration, clock: any TimeSource) {
        self.init(configuration, clock: clock) { $0.remove($1) }
    }

    init(
        _ configuration: Configuration,
        clock: any TimeSource,
        remove: @escaping @Sendable (ImageFolder, String) -> Bool
    ) {
        self.configuration = configuration
        self.clock = clock
        self.remove = remove
        folder = ImageFolder(path: configuration.directory)
    }

    /// Returns the name of the file for a key.
    public func fileName(for key: String) -> String { configuration.naming.name(for: key) }

    /// Returns the path of the file for a key, whether or not it exists.
    public func path(for key: String) -> String { folder.path + "/" + fileName(for: key) }

    /// Returns the content of a key's file; `nil` if there is none, or it belongs to another key with the
    /// same name.
    ///
    /// Does not check its age.
    public func read(_ key: String) throws(ImageError) -> Content? {
        let name = fileName(for: key)
        guard let (bytes, metadata) = try folder.read(name) else { return nil }
        if let metadata, metadata.keyDigest != SHA256.text(key.utf8) { return nil }
        if configuration.eviction.order == .leastRecentlyUsed { folder.touch(name, at: clock.timeSinceEpoch) }
        return Content(bytes: bytes, freshUntil: metadata?.freshUntil)
    }

    /// Writes the file of a key atomically.
    public func write(_ bytes: [UInt8], for key: String, freshUntil: Duration? = nil) throws(ImageError) {
        let metadata = ImageFileMetadata(key: key, freshUntil: freshUntil)
        try folder.write(bytes, metadata: metadata, to: fileName(for: key), at: clock.timeSinceEpoch)
    }

    /// Sets the time at which the file of a key becomes stale; has no effect if there is none.
    public func setFreshness(until moment: Duration?, for key: String) throws(ImageError) {
        try folder.annotate(fileName(for: key), with: ImageFileMetadata(key: key, freshUntil: moment))
    }

    /// Removes the file of a key; returns `false` if there is none.
    @discardableResult
    public func remove(_ key: String) -> Bool { remove(folder, fileName(for: key)) }

    /// Removes all files except folders and hidden files, which are not the cache's, and all temporary files.
    public func removeAll() {
        for file in folder.files() { _ = remove(folder, file.name) }
        folder.removeParts()
    }

    /// Returns the files, least recently written first, without folders and hidden files.
    public func files() -> [File] {
        folder.files().sorted { ($0.writtenAt, $0.name) < ($1.writtenAt, $1.name) }
    }

    /// Returns the number of files and their bytes, without folders and hidden files.
    public func size() -> CacheSize {
        let files = folder.files()
        return CacheSize(files: files.count, total: .bytes(files.reduce(0) { $0 + $1.length.bytes }))
    }

    /// Removes files that are too old and, if the rest exceeds the size limit, files according to the
    /// eviction rule.
    ///
    /// A file is too old if its time is not later than now minus the age limit. A file that cannot be removed
    /// still counts.
    @discardableResult
    public func clean() -> Cleaning {
        var result = Cleaning()
        let oldest = ageLimit.map { clock.timeSinceEpoch - $0 }
        var kept: [File] = []
        for file in folder.files() {
            if let oldest, moment(of: file) <= oldest, remove(folder, file.name) {
                result.expired += 1
            } else {
                kept.append(file)
            }
        }
        result.left = kept.count
        result.leftSize = .bytes(evict(kept, &result))
        return result
    }

    /// Evicts files if they count more bytes than the limit; returns the number of bytes that the others count.
    private func evict(_ files: [File], _ result: inout Cleaning) -> Int {
        let total = files.reduce(0) { $0 + counted($1) }
        guard let limit = configuration.sizeLimit?.bytes, total > limit else { return total }
        var rest = total
        for file in files.sorted(by: { (moment(of: $0), $0.name) < (moment(of: $1), $1.name) })
        where remove(folder, file.name) {
            result.evicted += 1
            result.left -= 1
            rest -= counted(file)
            if configuration.eviction.isMet(total: rest, limit: limit) { break }
        }
        return rest
    }

    private var ageLimit: Duration? { configuration.ageLimit.flatMap { $0 < .zero ? nil : $0 } }

    private func counted(_ file: File) -> Int {
        configuration.countedSize(file.length, file.allocated).bytes
    }

    private func moment(of file: File) -> Duration {
        switch configuration.eviction.order {
        case .leastRecentlyWritten: file.writtenAt
        case .leastRecentlyUsed: max(file.readAt, file.writtenAt)
        }
    }
}
