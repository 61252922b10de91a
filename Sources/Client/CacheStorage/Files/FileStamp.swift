#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import CacheSemantics

/// What the system notes of a file, by which a change of its content is noticed without reading it.
struct FileStamp: Sendable {
    /// Size in bytes.
    let count: Int
    private let inode: UInt64
    /// When the content last changed, and when anything did, in nanoseconds since 1970-01-01T00:00:00Z.
    private let modified: Int64
    private let changed: Int64
    /// Whether the last change is so long ago that another would have another time.
    private let isSettled: Bool

    /// Systems count the times of files in ticks, of 10 ms at most.
    private static let settling: Int64 = 100_000_000

    /// Reads what is noted of an open file; `nil` where the system cannot say.
    init?(_ descriptor: Int32) {
        // The system's own clock, which the times of files are of; read first, because a change may come in between.
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        count = Int(status.st_size)
        inode = UInt64(status.st_ino)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
        isSettled = Self.nanoseconds(now) &- changed > Self.settling
    }

    /// A number that another state of the file does not have; `nil` while it could be changed without getting another.
    var mark: UInt64? {
        guard isSettled else { return nil }
        let parts = [UInt64(count), inode, UInt64(bitPattern: modified), UInt64(bitPattern: changed)]
        return max(parts.withUnsafeBytes { ByteHash.sum($0) }, 1)
    }

    /// Whether the same file had the same content before, even if it has got another name since, or none.
    func hasContent(of earlier: FileStamp) -> Bool {
        count == earlier.count && inode == earlier.inode && modified == earlier.modified
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
