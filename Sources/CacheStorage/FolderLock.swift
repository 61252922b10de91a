#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An advisory lock on a folder, held for the short time in which it is opened.
struct FolderLock: Sendable {
    private let descriptor: Int32

    /// Waits for the lock.
    init(_ path: String) throws(StorageError) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open", path) }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    /// Gives the lock up.
    func release() {
        close(descriptor)
    }
}
