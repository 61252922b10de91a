import CacheSemantics
import CLibrary
import Locks

/// An open body file, which stays readable after it was removed from its folder.
public final class StoredFile: Sendable {
    /// The size of a block, in bytes; the digest of each is seeded with that of the block before it.
    static let blockSize = 64 * 1024

    /// Size in bytes.
    public var count: Int { stamp.count }
    let path: String
    /// The digest of the whole content.
    let checksum: UInt64
    /// The open file, for writing it to a socket; valid during the lifetime of this object.
    package let descriptor: Int32
    /// The attributes of the file when it was opened or finished.
    let stamp: FileStamp
    /// Whether the file must be removed when its last reference is released.
    private let isTemporary: Lock<Bool>

    init(descriptor: Int32, path: String, checksum: UInt64, stamp: FileStamp, isTemporary: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.checksum = checksum
        self.stamp = stamp
        self.isTemporary = Lock(isTemporary)
    }

    deinit {
        close(descriptor)
        if isTemporary.withLock({ $0 }) { unlink(path) }
    }

    /// Returns up to `count` bytes starting at `offset`; fewer only at the end, none beyond it.
    ///
    /// Throws if the system cannot read, or if the file has changed since it was opened.
    public func read(from offset: Int, count: Int) throws(StorageError) -> [UInt8] {
        let start = min(max(offset, 0), self.count)
        let wanted = min(max(count, 0), self.count - start)
        var failure: StorageError?
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            failure = fill(UnsafeMutableRawBufferPointer(buffer), from: start)
            filled = failure == nil ? wanted : 0
        }
        if let failure { throw failure }
        return bytes
    }

    /// Whether the content has not changed since the file was opened.
    package var isUnchanged: Bool {
        FileStamp(descriptor)?.hasContent(of: stamp) == true
    }

    /// Takes over the responsibility to remove the file; true only for the first caller.
    func claim() -> Bool {
        isTemporary.withLock { temporary in
            defer { temporary = false }
            return temporary
        }
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer, from start: Int) -> StorageError? {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(start + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .system("read", path) }
            guard count > 0 else {
                return StorageError(damaged: path, reason: "the file ends too early")
            }
            done += count
        }
        guard let now = FileStamp(descriptor) else { return .system("inspect", path) }
        return now.hasContent(of: stamp) ? nil : StorageError(damaged: path, reason: "the file was changed")
    }
}

extension StoredFile {
    /// Opens a body file; returns `nil` if it does not exist.
    static func open(_ path: String, checksum: UInt64) throws(StorageError) -> StoredFile? {
        let descriptor = openForReading(path)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw .system("open", path) }
        guard let stamp = FileStamp(descriptor) else {
            defer { close(descriptor) }
            throw .system("inspect", path)
        }
        return StoredFile(
            descriptor: descriptor,
            path: path,
            checksum: checksum,
            stamp: stamp,
            isTemporary: false
        )
    }

    /// Returns the digest of the file's current content on disk.
    func digest() throws(StorageError) -> UInt64 {
        var sum: UInt64 = 0
        var offset = 0
        while offset < count {
            let block = try read(from: offset, count: Self.blockSize)
            sum = ByteHash.sum(block, seed: sum)
            offset += block.count
        }
        return sum
    }

    /// Returns the digest that a file with the content `bytes` has.
    static func digest(of bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var sum: UInt64 = 0
            var offset = 0
            while offset < bytes.count {
                let end = min(offset + blockSize, bytes.count)
                sum = ByteHash.sum(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]), seed: sum)
                offset = end
            }
            return sum
        }
    }
}

private func openForReading(_ path: String) -> Int32 {
    // Symbolic links are not followed, and opening does not wait if the path is a pipe.
    open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
}
