import CacheSemantics
public import Clocks
import Locks

/// Images as plain files in a folder of their own: the bytes as they came, under a name that a rule makes.
///
/// Every function that touches files blocks for as long as the disk takes; `ImageStore` calls them on its queue. Several
/// caches, also of several processes, may share a folder.
public final class DiskImageCache: Sendable {
    /// How a cache on disk behaves.
    public struct Configuration: Sendable {
        /// The folder, made when it is first written to; files of others must not be in it.
        public var directory: String
        /// How keys become names; default MD5 with the extension of the URL's path.
        public var naming = FileNaming.md5WithExtension
        /// Seconds after which a cleaning removes a file; default a week, `nil` and negative never.
        public var ageLimitSeconds: Double? = 604_800
        /// Bytes above which a cleaning removes files; default 0, no limit.
        public var sizeLimit = 0
        /// What goes first, and how much.
        public var eviction = EvictionRule.oldestToHalf
        /// What a file counts for in a cleaning, given its content's bytes and those it takes on disk; default the
        /// latter.
        public var countedSize: @Sendable (_ length: Int, _ allocated: Int) -> Int = { $1 }

        /// Creates the default configuration for a folder.
        public init(directory: String) { self.directory = directory }
    }
    /// What is found for a key.
    public struct Found: Sendable {
        /// The bytes of the file.
        public var bytes: [UInt8]
        /// Wall seconds until which they are fresh; `nil` where that does not matter.
        public var freshUntil: Double?
    }
    /// A file of the cache, as an inspection finds it.
    public struct File: Sendable, Hashable {
        /// The name that the naming rule has made.
        public var name: String
        /// Bytes of its content.
        public var length: Int
        /// Bytes that it takes on disk.
        public var allocated: Int
        /// When it was written, in wall seconds.
        public var writtenAt: Double
        /// When it was read last, in wall seconds; only a cache that evicts by use keeps that.
        public var readAt: Double
    }
    /// What a cleaning has done.
    public struct Cleaning: Sendable, Hashable {
        /// Files removed because of their age.
        public var expired = 0
        /// Files removed because all were too much.
        public var evicted = 0
        /// Files that are left, with what they count for.
        public var left = 0
        /// What the files that are left count for.
        public var leftBytes = 0
    }
    /// How this cache behaves.
    public let configuration: Configuration
    private let folder: ImageFolder
    private let clock: any TimeSource
    private let remove: @Sendable (ImageFolder, String) -> Bool

    /// Creates a cache; nothing is read or written yet.
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

    /// The name of the file for a key.
    public func fileName(for key: String) -> String { configuration.naming.name(for: key) }

    /// The path of the file for a key, which may not exist.
    public func path(for key: String) -> String { folder.path + "/" + fileName(for: key) }

    /// The file of a key; `nil` where there is none, or where it is another key's of the same name.
    ///
    /// Its age is not looked at.
    public func read(_ key: String) throws(ImageError) -> Found? {
        let name = fileName(for: key)
        guard let (bytes, note) = try folder.read(name) else { return nil }
        if let note, note.keyDigest != SHA256.text(key.utf8) { return nil }
        if configuration.eviction.order == .leastRecentlyUsed { folder.touch(name, at: clock.wallSeconds) }
        return Found(bytes: bytes, freshUntil: note?.freshUntil)
    }

    /// Writes the file of a key, whole or not at all, as of now.
    public func write(_ bytes: [UInt8], for key: String, freshUntil: Double? = nil) throws(ImageError) {
        let note = EntryNote(key: key, freshUntil: freshUntil)
        try folder.write(bytes, note: note, to: fileName(for: key), at: clock.wallSeconds)
    }

    /// Notes a new moment until which the file of a key is fresh; without effect where there is none.
    public func setFreshness(until moment: Double?, for key: String) throws(ImageError) {
        try folder.annotate(fileName(for: key), with: EntryNote(key: key, freshUntil: moment))
    }

    /// Removes the file of a key; false where there is none.
    @discardableResult
    public func remove(_ key: String) -> Bool { remove(folder, fileName(for: key)) }

    /// Removes every file; folders and hidden files, which are not the cache's, stay.
    public func removeAll() {
        for file in folder.files() { _ = remove(folder, file.name) }
        folder.removeParts()
    }

    /// The files, folders and hidden files left out, the first written first.
    public func files() -> [File] {
        folder.files().sorted { ($0.writtenAt, $0.name) < ($1.writtenAt, $1.name) }
    }

    /// Number and bytes of content of the files, folders and hidden files not counted.
    public func size() -> (files: Int, bytes: Int) {
        let files = folder.files()
        return (files.count, files.reduce(0) { $0 + $1.length })
    }

    /// Removes what is too old, and then, where the rest is more than the limit, as much as the eviction rule says.
    ///
    /// A file is too old when its moment is not later than now less the age limit. A file that cannot be removed still
    /// counts, and the next one is tried.
    @discardableResult
    public func clean() -> Cleaning {
        var result = Cleaning()
        let oldest = clock.wallSeconds - (ageLimit ?? .infinity)
        var kept: [File] = []
        for file in folder.files() {
            if moment(of: file) <= oldest, remove(folder, file.name) {
                result.expired += 1
            } else {
                kept.append(file)
            }
        }
        result.left = kept.count
        result.leftBytes = kept.reduce(0) { $0 + counted($1) }
        evict(kept, &result)
        return result
    }

    private func evict(_ files: [File], _ result: inout Cleaning) {
        let limit = configuration.sizeLimit
        guard limit > 0, result.leftBytes > limit else { return }
        for file in files.sorted(by: { (moment(of: $0), $0.name) < (moment(of: $1), $1.name) })
        where remove(folder, file.name) {
            result.evicted += 1
            result.left -= 1
            result.leftBytes -= counted(file)
            if configuration.eviction.isMet(total: result.leftBytes, limit: limit) { break }
        }
    }

    private var ageLimit: Double? { configuration.ageLimitSeconds.flatMap { $0 < 0 ? nil : $0 } }

    private func counted(_ file: File) -> Int {
        configuration.countedSize(file.length, file.allocated)
    }

    private func moment(of file: File) -> Double {
        switch configuration.eviction.order {
        case .leastRecentlyWritten: file.writtenAt
        case .leastRecentlyUsed: max(file.readAt, file.writtenAt)
        }
    }
}
