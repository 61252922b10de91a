#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Locks
import Synchronization

/// A number in shared memory that changes whenever any process changes the folder's entries.
///
/// Reading it costs no system call. The same file carries the advisory lock that tells whether a process is alone.
///
/// Nobody but its users may make the file shorter while it is open. Linux then takes the page from every mapping of it,
/// shared or private, locked or not, and the next access is SIGBUS; there is no way around it without a system call:
/// - whatever has a name in the folder can be opened by it and cut off, by whoever may write to the folder;
/// - memory that cannot shrink has no such name: processes with the folder in common, but not their namespaces, would
///   not find a sealed memory file or a segment of System V, and would miss each other's changes;
/// - to look before each access is a system call, and the file may shrink between the look and the access;
/// - a handler of the signal belongs to the program, of which a library is a part only.
/// SQLite stands and falls with its `-shm` file in the same way, so that without this file the folder would be as
/// vulnerable. What can be had is that the time is short: the system tells of the change, and the file is made whole
/// again at once by whoever has it open (`FileWatch`), with a finding; at the latest when the number is changed next.
final class GenerationFile: @unchecked Sendable {
    // Reason: the pointer never changes, and what it points to is touched by atomic operations only.
    private let descriptor: Int32
    private let memory: UnsafeMutableRawPointer
    private let counter: UnsafeMutablePointer<Atomic<UInt64>>
    private let watch = Lock<FileWatch?>(nil)
    private let tellsMended = Lock<(@Sendable () -> Void)?>(nil)
    private static let size = 4096

    let path: String

    /// Opens the file, which is created if missing.
    init(path: String) throws(StorageError) {
        self.path = path
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
        watch.withLock { $0 = nil }
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

    /// From now on has the file made whole again as soon as somebody makes it shorter, and `tell` called each time.
    func guardSize(_ tell: @escaping @Sendable () -> Void) {
        tellsMended.withLock { $0 = tell }
        watch.withLock { $0 = FileWatch(path) { [weak self] in self?.mend() } }
        // It may have been cut off before somebody listened.
        mend()
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
            posix_fallocate(descriptor, 0, off_t(Self.size)) == 0
        else { return }
        // It would begin at 0 again, and come to a number that somebody has seen before.
        counter.pointee.store(.random(in: .min ... .max), ordering: .releasing)
        tellsMended.withLock { $0 }?()
    }

    private static func map(_ descriptor: Int32, _ path: String) throws(StorageError)
        -> UnsafeMutableRawPointer
    {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("inspect", path) }
        // Never made shorter: another process may have it mapped.
        if status.st_size < size {
            // With its block: where the file system is full, the first access to a hole would be SIGBUS.
            let code = posix_fallocate(descriptor, 0, off_t(size))
            guard code == 0 else { throw .system("extend", path, code: code) }
        }
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { throw .system("map", path) }
        return memory
    }
}
