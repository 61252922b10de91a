#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An advisory lock on a folder, given up with the object.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Opens the folder, without the lock.
    init(_ path: String) throws(StorageError) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open", path) }
    }

    deinit { close(descriptor) }

    /// Waits until nobody else has it.
    func take() { _ = FileLock.lock(descriptor, LOCK_EX) }
}

/// Advisory locks on open files, given up when they are closed.
enum FileLock {
    /// Locks a file in common with others; also true where the file system has no locks.
    static func share(_ descriptor: Int32) -> Bool {
        lock(descriptor, LOCK_SH | LOCK_NB) || errno != EWOULDBLOCK
    }

    /// Locks a file that nobody else has locked.
    static func takeIfFree(_ descriptor: Int32) -> Bool { lock(descriptor, LOCK_EX | LOCK_NB) }

    fileprivate static func lock(_ descriptor: Int32, _ operation: Int32) -> Bool {
        while flock(descriptor, operation) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }
}
