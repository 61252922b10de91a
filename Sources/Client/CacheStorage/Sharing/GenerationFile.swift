import CLibrary
import FileWatching
import Locks
import Synchronization

/// A number in shared memory that changes whenever any process changes the folder's entries.
///
/// Reading it costs no system call.
///
/// Other programs must not truncate the file while it is open. Linux then takes the page from every mapping of it,
/// shared or private, locked or not, and the next access raises SIGBUS. This cannot be prevented without a system
/// call:
/// - a file with a name in the folder can be opened by that name and truncated by any process that may write to the
///   folder;
/// - memory that cannot shrink has no such name: processes that share the folder, but not their namespaces, would not
///   find a sealed memory file or a segment of System V, and would miss each other's changes;
/// - a check before each access is a system call, and the file may shrink between the check and the access;
/// - a signal handler belongs to the program, of which a library is only a part: see `LostPages`.
///
/// SQLite depends on its `-shm` file in the same way, so without this file the folder would be as vulnerable. The
/// time until the repair is at least short: the system reports the change (`FileWatch`), and the processes that have
/// the file open restore it at once, with a finding; at the latest when the number is changed next.
///
/// The file must not be removed either: a process that opens the folder then creates another file, and does not see
/// the changes by users of the old one. The same watch makes those users switch to the folder's current file as soon
/// as there is one, and a process that changes the number creates one if there is none.
final class GenerationFile: @unchecked Sendable {
    // Reason: the pointer never changes; its memory is accessed by atomic operations only, and the system replaces it
    // by another file's page as a whole.
    private let memory: UnsafeMutableRawPointer
    private let counter: UnsafeMutablePointer<Atomic<UInt64>>
    /// An `AcknowledgedChange`, in a separate cache line.
    let record: UnsafeMutablePointer<Atomic<UInt64>>
    /// The mapped file; locked during the few system calls that restore it, so that two threads do not mix two files.
    private let descriptor: Lock<Int32>
    /// The number of lost pages when it was last mapped.
    private let lostPages = Atomic(LostPages.count)
    private let watch = Lock<GenerationWatch?>(nil)
    private let report = Lock<(@Sendable (StorageDamage) -> Void)?>(nil)
    static let size = 4096
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

    /// The number; only a difference is significant.
    @inline(__always)
    var value: UInt64 { counter.pointee.load(ordering: .acquiring) }

    /// Changes the number; returns the previous one.
    func advance() -> UInt64 {
        restore(creates: true)
        return counter.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    }

    /// Changes the number without creating a file, so that each store on the folder checks its database.
    func noteLoss() { _ = counter.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// Starts to restore the file as soon as it is damaged, and to call `report` each time.
    ///
    /// `watcher` lets tests simulate systems without watches.
    func guardFile(
        by watcher: @escaping GenerationWatch.Watcher = FileWatch.init,
        _ report: @escaping @Sendable (StorageDamage) -> Void
    ) {
        self.report.withLock { $0 = report }
        let watch = GenerationWatch(self, by: watcher)
        self.watch.withLock { $0 = watch }
        watch.renew()
    }

    /// Extends the file if it has been truncated, and switches to the folder's current file if that is another.
    ///
    /// A missing file is created only with `creates`: by a writer, which makes system calls anyway, and not in a
    /// folder that is being removed.
    func restore(creates: Bool = false) {
        guard let reason = descriptor.withLock({ repair(&$0, creates: creates) }) else { return }
        let damage = StorageDamage(subject: path, reason: reason)
        report.withLock { $0 }?(damage)
    }

    private func repair(_ descriptor: inout Int32, creates: Bool) -> String? {
        do throws(StorageError) {
            if try replace(&descriptor, creates: creates) { return "was removed or replaced" }
            let lost = LostPages.count
            let isLost = lostPages.exchange(lost, ordering: .acquiringAndReleasing) != lost
            let isShorter = try Self.extend(descriptor, path)
            // Empty memory may have replaced the file's.
            if isLost { _ = try Self.map(descriptor, path, at: memory) }
            guard isShorter || value == 0 else { return nil }
            renumber()
            return "was truncated"
        } catch {
            // A repair that is impossible now is tried again with the next change.
            return nil
        }
    }

    /// Maps the folder's file in place of the one that was opened, if it is another.
    private func replace(_ descriptor: inout Int32, creates: Bool) throws(StorageError) -> Bool {
        guard isAnother(than: descriptor, orNone: creates) else { return false }
        var spare = try Self.openFile(path)
        defer { close(spare) }
        _ = try Self.extend(spare, path)
        // Processes that still have the old file notice the changes made until now.
        counter.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing)
        let acknowledged = acknowledged.word
        _ = try Self.map(spare, path, at: memory)
        swap(&spare, &descriptor)
        _ = record.pointee.compareExchange(
            expected: 0,
            desired: acknowledged,
            ordering: .acquiringAndReleasing
        )
        // So do those that have the new file.
        renumber()
        return true
    }

    /// Returns whether the path names another file, or none with `orNone`.
    private func isAnother(than descriptor: Int32, orNone: Bool) -> Bool {
        var mine = stat()
        var found = stat()
        guard fstat(descriptor, &mine) == 0 else { return false }
        guard stat(path, &found) == 0 else { return orNone && errno == ENOENT }
        return (mine.st_ino, mine.st_dev) != (found.st_ino, found.st_dev)
    }

    /// Sets a random number: counting from zero again could reach a number that a process has already seen.
    private func renumber() { counter.pointee.store(.random(in: .min ... .max), ordering: .releasing) }
}

// MARK: - System calls

extension GenerationFile {
    private static func openFile(_ path: String) throws(StorageError) -> Int32 {
        // Opening does not wait if the path is a pipe, and no other file is written to if it is a link.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system("open", path) }
        return descriptor
    }

    /// Extends the file to the required size; true if it was shorter.
    private static func extend(_ descriptor: Int32, _ path: String) throws(StorageError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("inspect", path) }
        // Never made shorter: another process may have it mapped.
        guard status.st_size < size else { return false }
        // With its block: on a full file system, the first access to a hole would raise SIGBUS.
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
