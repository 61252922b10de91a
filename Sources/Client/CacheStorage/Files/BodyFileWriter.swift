import CacheSemantics
import CLibrary

/// A writer of a body file, which has a temporary name until it is finished.
///
/// The file is locked while open, so that a store that opens the folder does not remove it as a leftover before it has
/// its row.
struct BodyFileWriter: Sendable {
    let path: String
    private let descriptor: Int32
    private(set) var count = 0
    private var checksum: UInt64 = 0

    /// Creates an empty file.
    init(_ paths: StoragePaths) throws(StorageError) {
        while true {
            let path = paths.part(UInt64.random(in: 1...UInt64.max))
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .system("create", path) }
            // Until it is locked, a store that opens the folder may remove it as a leftover.
            if FileLock.share(descriptor), Self.hasName(descriptor) {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
    }

    private static func hasName(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink > 0
    }

    /// Appends bytes; all pieces but the last must consist of whole blocks of `StoredFile.blockSize`.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + StoredFile.blockSize, bytes.count)
            let block = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
            checksum = ByteHash.sum(block, seed: checksum)
            try write(block)
            offset = end
        }
    }

    /// Returns the finished file, which is removed with its last reader unless it is claimed.
    ///
    /// Throws, and removes the file, if its length differs from the number of bytes written.
    func finish() throws(StorageError) -> StoredFile {
        guard let stamp = FileStamp(descriptor), stamp.count == count else {
            discard()
            throw StorageError(operation: "finish", path: path, reason: "the file was changed")
        }
        return StoredFile(
            descriptor: descriptor,
            path: path,
            checksum: checksum,
            stamp: stamp,
            isTemporary: true
        )
    }

    /// Removes the file.
    func discard() {
        close(descriptor)
        unlink(path)
    }

    private mutating func write(_ block: UnsafeRawBufferPointer) throws(StorageError) {
        var done = 0
        while done < block.count {
            let rest = UnsafeRawBufferPointer(rebasing: block[done...])
            let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(count))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .system("write", path) }
            done += written
            count += written
        }
    }
}

extension StoragePaths {
    /// Writes `bytes` to a new file.
    func write(_ bytes: [UInt8]) throws(StorageError) -> StoredFile {
        var writer = try BodyFileWriter(self)
        do throws(StorageError) {
            try bytes.withBytes { (bytes) throws(StorageError) in try writer.append(bytes) }
        } catch {
            writer.discard()
            throw error
        }
        return try writer.finish()
    }

    /// Gives a finished file its permanent name; returns the number in it.
    func keep(_ file: StoredFile) throws(StorageError) -> UInt64 {
        let number = UInt64.random(in: 1...UInt64.max)
        guard rename(file.path, body(number)) == 0 else {
            let error = StorageError.system("rename", file.path)
            unlink(file.path)
            throw error
        }
        return number
    }
}
