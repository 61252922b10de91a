import CacheSemantics
public import Clocks
import GRDB
public import HTTPTypes
import Locks
import Synchronization

/// A memory tier over a disk tier.
///
/// All calls may come from any thread and return without suspending. A lookup that the memory tier can answer takes
/// a lock and a dictionary access; a miss touches no file; other lookups read from the local disk. What is stored is
/// written behind the caller's back, in batches; what is removed or invalidated is so for good when the call returns,
/// also for other stores: several, in one process or more, may share a folder.
public final class CacheStore: Sendable {
    /// How a store is set up.
    public struct Configuration: Sendable {
        /// Bytes of the process's memory that the memory tier may take, objects and tables included.
        ///
        /// Default: 4 MiB. Zero switches it off.
        public var memoryCapacity: Int
        /// Bytes the disk tier may hold.
        ///
        /// Default: 20 MiB. Zero switches it off.
        public var diskCapacity: Int
        /// The folder of the disk tier, created when needed; `nil`, the default, for no disk tier.
        public var directory: String?
        /// The largest share of a capacity that one response may take.
        ///
        /// Of the disk's, or of the memory's where disk is off. From 0 to 1, default: 0.05.
        public var largestShare: Double
        /// How many variants one key may have (RFC 9111 §4.1), those without content of their own included.
        ///
        /// The one that no request has selected for the longest time is evicted first. At least 1, default: 64.
        public var mostVariants: Int
        /// The response fields whose members are tags that `remove(tag:of:)` finds, beside those of `Cache-Groups`; default
        /// none.
        ///
        /// Members are separated by spaces, as in `Surrogate-Key`, or by commas, as in `Cache-Tag`. What was stored while
        /// a field was not among them is not found by the tags in it.
        public var tagFields: [HTTPField.Name]
        /// Whether a body that is a file on disk is read into memory when it is found there and fits; default true.
        ///
        /// Otherwise who asks gets the open file, which `StoredFile` checks against changes, not whole for each hit.
        public var promotesFiles = true

        /// Creates a configuration.
        public init(
            memoryCapacity: Int = 4 << 20,
            diskCapacity: Int = 20 << 20,
            directory: String? = nil,
            largestShare: Double = 0.05,
            mostVariants: Int = 64,
            tagFields: [HTTPField.Name] = []
        ) {
            self.memoryCapacity = memoryCapacity
            self.diskCapacity = diskCapacity
            self.directory = directory
            self.largestShare = min(max(largestShare, 0), 1)
            self.mostVariants = max(mostVariants, 1)
            self.tagFields = tagFields
        }
    }

    /// What the store knows, without what is promised; for lookups, and for those who write it down.
    let lock: Lock<StoreState>
    /// How many promises are to be kept.
    let promises = Atomic(0)
    /// What the store knows, with everything that was promised.
    var state: Lock<StoreState> {
        if promises.load(ordering: .acquiring) != 0 { keepPromises() }
        return lock
    }
    let directory: String?
    let promotesFiles: Bool
    let clock: any TimeSource
    /// What memory answers without the lock.
    let ready: ReadyAnswers
    let watches: KeyWatches
    let labelling: Labelling

    /// Opens a store; its disk tier holds what was stored in the folder before.
    ///
    /// Throws when the folder cannot be created or read. A damaged database is set aside, and the next lookup says so.
    public init(_ configuration: Configuration, clock: any TimeSource) throws(StorageError) {
        self.clock = clock
        directory = configuration.directory
        promotesFiles = configuration.promotesFiles
        labelling = Labelling(tagFields: configuration.tagFields)
        watches = KeyWatches(labelling)
        let initial = StoreState(configuration, labelling: labelling)
        ready = initial.memory.ready
        lock = Lock(initial)
        try openDiskIfNeeded()
    }

    /// Bytes that the memory tier takes: content and metadata, with the objects and tables that they are in.
    public var memoryUsage: Int { state.withLock { $0.memory.usage } }

    /// Bytes in the disk tier: content and metadata, without what the database needs itself.
    public var diskUsage: Int { state.withLock { $0.index.usage } }

    /// Number of bodies that are files of their own in the disk tier.
    public var diskFileCount: Int { state.withLock { $0.index.fileCount } }

    /// Number of stored responses in either tier.
    public var entryCount: Int { state.withLock { $0.entryCount } }

    /// Bytes the memory tier may hold; zero when it is off.
    public var memoryCapacity: Int { state.withLock { $0.memoryCapacity } }

    /// Bytes the disk tier may hold; zero when it is off.
    public var diskCapacity: Int { state.withLock { $0.diskCapacity } }

    /// Size that one response may have at most: content and metadata.
    public var largestEntry: Int { state.withLock { $0.largestEntry } }

    /// Why the last attempt to write to the disk tier failed; `nil` once one has succeeded, or when none was made.
    ///
    /// What was lost by it, though `put` had said that the disk tier has it, the next lookup tells in
    /// `StoredEntries.damage`.
    public var writeFailure: StorageError? { lock.withLock { $0.trouble } }

    /// Writes what waits to be written, and the order of use; `writeFailure` tells afterwards whether all could be.
    public func flush() {
        guard let disk = state.withLock({ $0.disk }) else { return }
        drainNow(disk, withUses: true)
    }

    /// Writes what waits and closes the folder; every later call finds and stores nothing.
    public func close() {
        flush()
        let disk = state.withLock { state in
            defer { state.disk = nil }
            state.isClosed = true
            state.forgetAll(withBodies: false)
            return state.disk
        }
        disk?.close()
    }
}

// MARK: - Opening

extension CacheStore {
    /// Opens the folder where there is one to open and the disk tier is on.
    func openDiskIfNeeded() throws(StorageError) {
        let isWanted = state.withLock { $0.disk == nil && $0.diskCapacity > 0 && !$0.isClosed }
        guard isWanted, let directory else { return }
        try discardOwed()
        do {
            try openDisk(directory, damage: nil)
        } catch {
            guard DiskSchema.isDamage(error) else { throw DiskSchema.failure("open", directory, error) }
            try openAnew(directory, damage: DiskSchema.reason(error))
        }
    }

    /// Removes a database that has what was invalidated or removed.
    private func discardOwed() throws(StorageError) {
        guard let lost = lock.withLock({ $0.lost }), lost.isOwed else { return }
        try lost.disk.discard()
        lock.withLock { $0.lost?.isOwed = false }
    }

    private func openAnew(_ directory: String, damage: String) throws(StorageError) {
        do {
            try openDisk(directory, damage: damage)
        } catch {
            throw DiskSchema.failure("open", directory, error)
        }
    }

    /// Opens the folder; with `damage`, sets the database in it aside first.
    private func openDisk(_ directory: String, damage: String?) throws {
        let (disk, damage) = try DiskTier.open(directory, damage: damage)
        state.withLock { state in
            (state.disk, state.lost) = (disk, nil)
            state.damage += damage
            state.marks = .unknown
        }
        do {
            try disk.writer.writeWithoutTransaction { db in try followOthers(disk, db) }
        } catch {
            state.withLock { $0.lose(disk, isOwed: false) }
            throw error
        }
        state.withLock { $0.index.markUsesWritten() }
        disk.generation.guardFile { [weak self] damage in
            self?.lock.withLock { $0.damage.append(damage) }
        }
        if !state.withLock({ $0.chores.isEmpty }) { drainNow(disk) }
    }

    /// Begins anew when the database was found damaged, or was replaced by another process.
    func reopen(_ disk: DiskTier, damage: String?) {
        let files = state.withLock { state -> [UInt64]? in
            guard state.disk === disk else { return nil }
            state.forgetAll(withBodies: false)
            defer { state.lose(disk, isOwed: false) }
            return state.chores.files
        }
        guard let files else { return }
        // Nobody knows what others have done in between.
        watches.note(isCleared: true) { _ in true }
        for file in files { disk.paths.removeBody(file) }
        do throws(StorageError) {
            if let damage {
                try openAnew(disk.paths.directory, damage: damage)
            } else {
                try openDiskIfNeeded()
            }
        } catch {
            state.withLock { $0.trouble = error }
        }
    }
}
