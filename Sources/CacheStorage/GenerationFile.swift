#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Synchronization

/// A number in shared memory that changes whenever any process changes the folder's entries.
///
/// Reading it costs no system call. The same file carries the advisory lock that tells whether a process is alone.
final class GenerationFile: @unchecked Sendable {
    // Reason: the pointer never changes, and what it points to is touched by atomic operations only.
    private let descriptor: Int32
    private let memory: UnsafeMutableRawPointer
    private let counter: UnsafeMutablePointer<Atomic<UInt64>>
    private static let size = 4096

    init(path: String) throws(StorageError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("open", path) }
        do throws(StorageError) {
            memory = try Self.map(descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        counter = memory.bindMemory(to: Atomic<UInt64>.self, capacity: 1)
    }

    deinit {
        munmap(memory, Self.size)
        close(descriptor)
    }

    /// The number; only a difference means something.
    @inline(__always)
    var value: UInt64 { counter.pointee.load(ordering: .acquiring) }

    /// Changes the number; returns what it was before.
    func advance() -> UInt64 {
        counter.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    }

    /// Whether nobody else has the folder open at this moment; then nobody else can open it before `share()`.
    func lockAlone() -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Waits until nobody tidies the folder up, and marks it as in use until this object is gone.
    func share() {
        while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
    }

    private static func map(_ descriptor: Int32, _ path: String) throws(StorageError)
        -> UnsafeMutableRawPointer
    {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("inspect", path) }
        // Never made shorter: another process may have it mapped.
        if status.st_size < size, ftruncate(descriptor, off_t(size)) != 0 { throw .system("extend", path) }
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { throw .system("map", path) }
        return memory
    }
}
