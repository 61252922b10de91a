#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import FileWatching
import Locks
import Synchronization

/// A number in shared memory that changes whenever any process changes the folder's entries.
///
/// Reading it costs no system call.
///
/// Nobody but its users may make the file shorter while it is open. Linux then takes the page from every mapping of it,
/// shared or private, locked or not, and the next access is SIGBUS; there is no way around it without a system call:
/// - whatever has a name in the folder can be opened by it and cut off, by whoever may write to the folder;
/// - memory that cannot shrink has no such name: processes with the folder in common, but not their namespaces, would
///   not find a sealed memory file or a segment of System V, and would miss each other's changes;
/// - to look before each access is a system call, and the file may shrink between the look and the access;
/// - a handler of the signal belongs to the program, of which a library is a part only: see `LostPages`.
/// SQLite stands and falls with its `-shm` file in the same way, so that without this file the folder would be as
/// vulnerable. What can be had is that the time is short: the system tells of the change (`FileWatch`), and the file is
/// made whole again at once by whoever has it open, with a finding; at the latest when the number is changed next.
///
/// Nor may anybody remove it: whoever opens the folder then begins another, and does not see what users of the old one
/// change. The same watch has them go over to the file that the folder has now as soon as there is one, and who changes
/// the number begins one where there is none.
final class GenerationFile: @unchecked Sendable {
    // Reason: the pointer never changes; what it points to is touched by atomic operations only, and where that is another
    // file's page from now on, the system puts it in place as a whole.
    private let memory: UnsafeMutableRawPointer
    private let counter: UnsafeMutablePointer<Atomic<UInt64>>
    /// An `AcknowledgedChange`, in a cache line of its own.
    let record: UnsafeMutablePointer<Atomic<UInt64>>
    /// The file that is mapped; held over the few system calls that mend it, so that two threads do not mix two files.
    private let descriptor: Lock<Int32>
    /// How many pages had been lost when it was mapped last.
    private let lostPages = Atomic(LostPages.count)
    private let watch = Lock<GenerationWatch?>(nil)
    private let tell = Lock<(@Sendable (StorageDamage) -> Void)?>(nil)
    private static let size = 4096
    private static let recordOffset = 2048

    let path: String

    /// Opens the file, which is created if missing.
    init(path: String) throws(StorageError) {
        self.path = path
        let opened = try Self.openFile(path)
        descriptor = Lock(opened)
        do throws(StorageError) {
            let isNew = try Self.extend(opened, path)
            memory = try Self.map(opened, path)
            counter = memory.bindMemory(to: Atomic<UInt64>.self, capacity: 1)
            record = (memory + Self.recordOffset).bindMemory(to: Atomic<UInt64>.self, capacity: 1)
            if isNew { renumber() }
        } catch {
            close(opened)
            throw error
        }
    }

    deinit {
        watch.withLock { $0 = nil }
        munmap(memory, Self.size)
        _ = descriptor.withLock { close($0) }
    }

    /// The number; only a difference means something.
    @inline(__always)
    var value: UInt64 { counter.pointee.load(ordering: .acquiring) }

    /// Changes the number; returns what it was before.
    func advance() -> UInt64 {
        restore(creates: true)
        return counter.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    }

    /// From now on has the file restored as soon as somebody has damaged it, and `tell` called each time.
    ///
    /// `watcher` is for tests of systems without watches.
    func guardFile(
        by watcher: @escaping GenerationWatch.Watcher = FileWatch.init,
        _ tell: @escaping @Sendable (StorageDamage) -> Void
    ) {
        self.tell.withLock { $0 = tell }
        let watch = GenerationWatch(self, by: watcher)
        self.watch.withLock { $0 = watch }
        watch.renew()
    }

    /// Extends the file where somebody has made it shorter, and goes over to another where the folder has another.
    ///
    /// One is created only where that is asked for: by a writer, who makes system calls anyway, and not into a folder that
    /// somebody is removing.
    func restore(creates: Bool = false) {
        guard let reason = descriptor.withLock({ repair(&$0, creates: creates) }) else { return }
        let damage = StorageDamage(subject: path, reason: reason)
        tell.withLock { $0 }?(damage)
    }

    private func repair(_ descriptor: inout Int32, creates: Bool) -> String? {
        do throws(StorageError) {
            if try replace(&descriptor, creates: creates) { return "had been removed or replaced" }
            let lost = LostPages.count
            let isLost = lostPages.exchange(lost, ordering: .acquiringAndReleasing) != lost
            let isShorter = try Self.extend(descriptor, path)
            // Empty memory may have come in the place of the file's.
            if isLost { _ = try Self.map(descriptor, path, at: memory) }
            guard isShorter || value == 0 else { return nil }
            renumber()
            return "had been made shorter"
        } catch {
            // What cannot be mended now is tried again with the next change.
            return nil
        }
    }

    /// Maps the folder's file in the place of the one that was opened, if it is another.
    private func replace(_ descriptor: inout Int32, creates: Bool) throws(StorageError) -> Bool {
        guard isAnother(than: descriptor, orNone: creates) else { return false }
        var spare = try Self.openFile(path)
        defer { close(spare) }
        _ = try Self.extend(spare, path)
        // Others that still have the old file learn what has changed until now.
        counter.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing)
        let acknowledged = acknowledged.word
        _ = try Self.map(spare, path, at: memory)
        swap(&spare, &descriptor)
        _ = record.pointee.compareExchange(
            expected: 0,
            desired: acknowledged,
            ordering: .acquiringAndReleasing
        )
        // And those that have the new one.
        renumber()
        return true
    }

    /// Whether the name stands for another file, or for none.
    private func isAnother(than descriptor: Int32, orNone: Bool) -> Bool {
        var mine = stat()
        var found = stat()
        guard fstat(descriptor, &mine) == 0 else { return false }
        guard stat(path, &found) == 0 else { return orNone && errno == ENOENT }
        return (mine.st_ino, mine.st_dev) != (found.st_ino, found.st_dev)
    }

    /// A number that nobody has seen: counted from zero again it would come to one that somebody has.
    private func renumber() { counter.pointee.store(.random(in: .min ... .max), ordering: .releasing) }
}

// MARK: - System calls

extension GenerationFile {
    private static func openFile(_ path: String) throws(StorageError) -> Int32 {
        // Without waiting should somebody have put a pipe there.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .system("open", path) }
        return descriptor
    }

    /// Makes the file as long as it has to be; true where it was not.
    private static func extend(_ descriptor: Int32, _ path: String) throws(StorageError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("inspect", path) }
        // Never made shorter: another process may have it mapped.
        guard status.st_size < size else { return false }
        // With its block: where the file system is full, the first access to a hole would be SIGBUS.
        let code = posix_fallocate(descriptor, 0, off_t(size))
        guard code == 0 else { throw .system("extend", path, code: code) }
        return true
    }

    private static func map(
        _ descriptor: Int32,
        _ path: String,
        at place: UnsafeMutableRawPointer? = nil
    ) throws(StorageError) -> UnsafeMutableRawPointer {
        let flags = MAP_SHARED | (place == nil ? 0 : MAP_FIXED)
        let memory = mmap(place, size, PROT_READ | PROT_WRITE, flags, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { throw .system("map", path) }
        return memory
    }
}
