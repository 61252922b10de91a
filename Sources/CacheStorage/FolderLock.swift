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
    func take() { lock(LOCK_EX) }

    /// Waits until nobody has it for himself; others may have it in common.
    func share() { lock(LOCK_SH) }

    /// Takes it if nobody else has it, not even in common.
    func takeIfFree() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    private func lock(_ operation: Int32) {
        while flock(descriptor, operation) != 0, errno == EINTR {}
    }
}
