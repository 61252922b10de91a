#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Synchronization

/// A number in shared memory that changes whenever any process changes the folder's entries.
///
/// Reading it costs no system call. The same file carries the advisory lock that tells whether a process is alone.
///
/// Nobody may make the file shorter while it is open. Linux then takes the page from every mapping of it, shared or
/// private, locked or not, and the next access is SIGBUS: a mapping can only be checked by a system call before each
/// access, and even then it may shrink in between. Memory that cannot shrink has no name in a folder: a sealed memory
/// file, or a segment of System V, which other containers with the same folder do not see, so that two processes
/// would miss each other's changes. Whoever opens the file or changes the number makes it whole again.
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
        mend()
        return counter.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    }

    /// Whether nobody else has the folder open at this moment; then nobody else can open it before `share()`.
    func lockAlone() -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Waits until nobody tidies the folder up, and marks it as in use until this object is gone.
    func share() {
        while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
    }

    /// Extends a file that somebody has made shorter; a system call, which a writer makes anyway.
    private func mend() {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size < Self.size,
            ftruncate(descriptor, off_t(Self.size)) == 0
        else { return }
        // It would begin at 0 again, and come to a number that somebody has seen before.
        counter.pointee.store(.random(in: .min ... .max), ordering: .releasing)
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
