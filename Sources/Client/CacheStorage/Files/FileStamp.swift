import CacheSemantics
import CLibrary

/// The attributes of a file by which a change of its content is detected without reading it.
struct FileStamp: Sendable {
    /// Size in bytes.
    let count: Int
    private let inode: UInt64
    /// The times of the last change of the content and of the file, in nanoseconds since 1970-01-01T00:00:00Z.
    private let modified: Int64
    private let changed: Int64
    /// Whether the last change is old enough for another one to have a different time.
    private let isSettled: Bool

    /// Systems record file times in ticks of at most 10 ms.
    private static let settling: Int64 = 100_000_000

    /// Reads the attributes of an open file; `nil` if the system cannot provide them.
    init?(_ descriptor: Int32) {
        // The system's own clock, which also sets file times; read first, because a change may happen in between.
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

    /// A number that no other state of the file has; `nil` while the file could change without changing its number.
    var mark: UInt64? {
        guard isSettled else { return nil }
        let parts = [UInt64(count), inode, UInt64(bitPattern: modified), UInt64(bitPattern: changed)]
        return max(parts.withUnsafeBytes { ByteHash.sum($0) }, 1)
    }

    /// Whether the same open file has the content that it had `earlier`, even if it was renamed or unlinked since.
    func hasContent(of earlier: FileStamp) -> Bool {
        count == earlier.count && modified == earlier.modified
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
