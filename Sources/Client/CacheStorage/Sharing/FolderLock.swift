import CLibrary

/// An advisory lock on a folder, released with the object.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Opens the folder, without the lock.
    init(_ path: String) throws(StorageError) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open", path) }
    }

    deinit { close(descriptor) }

    /// Waits until the lock is free, and takes it.
    func take() { _ = FileLock.lock(descriptor, LOCK_EX) }
}

/// Advisory locks on open files, released when the files are closed.
enum FileLock {
    /// Takes a shared lock on a file; also true if the file system has no locks.
    static func share(_ descriptor: Int32) -> Bool {
        lock(descriptor, LOCK_SH | LOCK_NB) || errno != EWOULDBLOCK
    }

    /// Takes an exclusive lock on a file that is not locked.
    static func takeIfFree(_ descriptor: Int32) -> Bool { lock(descriptor, LOCK_EX | LOCK_NB) }

    fileprivate static func lock(_ descriptor: Int32, _ operation: Int32) -> Bool {
        while flock(descriptor, operation) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }
}
