public import CacheSemantics
public import Clocks
import GRDB
public import HTTPTypes
import Locks
import Synchronization

/// A store of responses: a memory tier over a disk tier.
///
/// All calls may come from any thread and return without suspending. A lookup that the memory tier can answer takes a
/// lock and a dictionary access; a miss accesses no file; other lookups read from the local disk. Entries are written
/// asynchronously, in batches. Removals and invalidations are complete when the call returns, for other stores too:
/// several, in one process or more, may share a folder.
public final class CacheStore: Sendable {
    /// The configuration of a store.
    public struct Configuration: Sendable {
        /// The capacity of the memory tier, in the process's memory, including objects and tables.
        ///
        /// Default: 4 MiB. `.zero` switches it off.
        public var memoryCapacity: ByteCount
        /// The capacity of the disk tier.
        ///
        /// Default: 20 MiB. `.zero` switches it off.
        public var diskCapacity: ByteCount
        /// The folder of the disk tier, created if needed; `nil`, the default, for no disk tier.
        public var directory: String?
        /// The largest share of a capacity that one response may take.
        ///
        /// Of the disk tier's capacity, or of the memory tier's if the disk tier is off. From 0 to 1, default: 0.05.
        public var largestShare: Double
        /// The largest number of variants of one key (RFC 9111 §4.1), including those that share content.
        ///
        /// The variant that was least recently selected is evicted first. At least 1, default: 64.
        public var maximumVariants: Int
        /// The response fields whose members are tags that `remove(tag:of:)` finds, besides those of `Cache-Groups`;
        /// default: none.
        ///
        /// Members are separated by spaces, as in `Surrogate-Key`, or by commas, as in `Cache-Tag`. An entry that was
        /// stored while a field was not listed here is not found by the tags in that field.
        public var tagFields: [HTTPField.Name] = []
        /// Whether a body that is a file on disk is read into memory when it is found and fits; default: true.
        ///
        /// Otherwise lookups return the open file. `StoredFile` checks it for changes, but does not read it completely
        /// for each hit.
        public var promotesFiles = true
        /// The rules by which responses are stored, as `CacheEngine.storingRules`; default: `nil`, unknown.
        ///
        /// The folder of a store with other rules is refused: a shared cache must not use what a private one has
        /// stored (RFC 9111 §3.5 and §5.2.2.7). Unknown rules are not compared with any.
        public var storingRules: String?

        /// Creates a configuration.
        public init(
            memoryCapacity: ByteCount = .mebibytes(4),
            diskCapacity: ByteCount = .mebibytes(20),
            directory: String? = nil,
            largestShare: Double = 0.05,
            maximumVariants: Int = 64
        ) {
            self.memoryCapacity = memoryCapacity
            self.diskCapacity = diskCapacity
            self.directory = directory
            self.largestShare = min(max(largestShare, 0), 1)
            self.maximumVariants = max(maximumVariants, 1)
        }
    }

    /// The store's state without promised entries; for lookups, and for code that stores promised entries.
    let lock: Lock<StoreState>
    /// The number of promised entries that are not stored yet.
    let promises = Atomic(0)
    /// The store's state with all promised entries, which are stored first.
    var state: Lock<StoreState> {
        if promises.load(ordering: .acquiring) != 0 { keepPromises() }
        return lock
    }
    let directory: String?
    private let storingRules: String?
    let promotesFiles: Bool
    let clock: any TimeSource
    /// The answers that memory gives without the lock.
    let ready: ReadyAnswers
    let watches: KeyWatches
    let labelling: Labelling
    /// Whether a thread is opening the folder.
    private let opening = Monitor(false)
    /// The bits of the moment that `nextStoredAt()` returned last.
    let lastStoredAt = Atomic<UInt64>(0)

    /// Opens a store; its disk tier contains what was stored in the folder before.
    ///
    /// Throws if the folder's path is empty, or if it cannot be created or read. A damaged database is set aside, and the
    /// next lookup reports it.
    public init(_ configuration: Configuration, clock: any TimeSource) throws(StorageError) {
        self.clock = clock
        directory = configuration.directory
        storingRules = configuration.storingRules
        promotesFiles = configuration.promotesFiles
        labelling = Labelling(tagFields: configuration.tagFields)
        watches = KeyWatches(labelling)
        let initial = StoreState(configuration, labelling: labelling)
        ready = initial.memory.ready
        lock = Lock(initial)
        try openDiskIfNeeded()
    }

    /// The size of the memory tier, in bytes: content and metadata, with their objects and tables.
    public var memoryUsage: ByteCount { .bytes(state.withLock { $0.memory.usage }) }

    /// The size of the disk tier, in bytes: content and metadata, without the database's own overhead.
    public var diskUsage: ByteCount { .bytes(state.withLock { $0.index.usage }) }

    /// The number of bodies that are separate files in the disk tier.
    public var diskFileCount: Int { state.withLock { $0.index.fileCount } }

    /// Number of stored responses in either tier.
    public var entryCount: Int { state.withLock { $0.entryCount } }

    /// The capacity of the memory tier; `.zero` if it is off.
    public var memoryCapacity: ByteCount { .bytes(state.withLock { $0.memoryCapacity }) }

    /// The capacity of the disk tier; `.zero` if it is off, which it also is without a folder.
    public var diskCapacity: ByteCount {
        directory == nil ? .zero : .bytes(state.withLock { $0.diskCapacity })
    }

    /// The largest size of one response, in bytes: content and metadata.
    public var largestEntry: Int { state.withLock { $0.largestEntry } }

    /// The reason why the last attempt to write to the disk tier failed; `nil` once one has succeeded, or if none was made.
    ///
    /// The same applies to content in a separate file, which is written before the rest: until such content could be
    /// written.
    /// Entries that were lost by it, although `put` had reported them as stored on disk, are reported by the next
    /// lookup in `StoredEntries.damage`.
    public var writeFailure: StorageError? { lock.withLock { $0.trouble ?? $0.fileFailure } }

    /// Writes all pending data and the order of use; `writeFailure` then shows whether all could be written.
    public func flush() {
        guard let disk = state.withLock({ $0.disk }) else { return }
        drainNow(disk, withUses: true)
    }

    /// Writes all pending data and closes the folder; later calls find and store nothing.
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
    /// Opens the folder if there is one and the disk tier is on.
    ///
    /// With `waits`, first waits for another thread that is opening it.
    func openDiskIfNeeded(waits: Bool = false) throws(StorageError) {
        guard let directory else { return }
        try open(waits: waits) { () throws(StorageError) in
            guard !directory.isEmpty else {
                throw StorageError(operation: "open", path: "the cache's folder", reason: "its path is empty")
            }
            try discardOwed()
            do {
                try openDisk(directory, damage: nil)
            } catch {
                guard DiskSchema.isDamage(error) else { throw DiskSchema.failure("open", directory, error) }
                try openAnew(directory, damage: DiskSchema.reason(error))
            }
        }
    }

    /// Runs `body`, which opens the folder, unless it is open or need not be; then writes what is still to be written.
    ///
    /// Only one thread does so at a time; others do nothing unless they wait. The writer's thread, which the body needs,
    /// must not.
    private func open(waits: Bool = false, by body: () throws(StorageError) -> Void) throws(StorageError) {
        let isAlone = opening.wait { isOpening, _ in
            guard isOpening else {
                isOpening = true
                return .done(true)
            }
            return waits ? .wait() : .done(false)
        }
        guard isAlone else { return }
        do {
            defer {
                opening.withLock { $0 = false }
                opening.wakeAll()
            }
            let isWanted = state.withLock { $0.disk == nil && $0.diskCapacity > 0 && !$0.isClosed }
            if isWanted { try body() }
        }
        if let disk = state.withLock({ $0.chores.isEmpty ? nil : $0.disk }) { drainNow(disk) }
    }

    /// Removes a database that still contains what was invalidated or removed.
    private func discardOwed() throws(StorageError) {
        guard let lost = lock.withLock({ $0.lost }), lost.isOwed else { return }
        try discard(lost.disk)
    }

    /// Removes the database of the lost folder.
    func discard(_ disk: DiskTier) throws(StorageError) {
        let before = try disk.discard()
        lock.withLock { state in
            state.lost?.isOwed = false
            // A change by another store in between must still be noticed.
            if state.seenGeneration == before { state.seenGeneration = before &+ 1 }
        }
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
        let (disk, damage) = try DiskTier.open(directory, damage: damage, for: storingRules)
        state.withLock { state in
            // While the folder was lost, other stores may have withdrawn what this one has in memory.
            state.marks = state.lost == nil ? .unknown : .outdated
            (state.disk, state.lost) = (disk, nil)
            state.damage += damage
        }
        do {
            try disk.writer.writeWithoutTransaction { db in try followOthers(disk, db) }
        } catch {
            state.withLock { lose(disk, isOwed: false, &$0) }
            throw error
        }
        state.withLock { $0.index.markUsesWritten() }
        disk.generation.guardFile { [weak self] damage in
            self?.lock.withLock { $0.damage.append(damage) }
        }
    }

    /// Reopens the folder after its database was found damaged or was replaced by another process.
    func reopen(_ disk: DiskTier, damage: String?) {
        let files = state.withLock { state -> [UInt64]? in
            guard state.disk === disk else { return nil }
            state.forgetAll(withBodies: false)
            defer { lose(disk, isOwed: false, &state) }
            if damage == nil {
                let loss = StorageDamage(
                    subject: disk.paths.database,
                    reason: "the database was removed or replaced"
                )
                state.damage.append(loss)
            }
            return state.chores.files
        }
        guard let files else { return }
        for file in files { disk.paths.removeBody(file) }
        do throws(StorageError) {
            if let damage {
                try open { () throws(StorageError) in try openAnew(disk.paths.directory, damage: damage) }
            } else {
                try openDiskIfNeeded()
            }
        } catch {
            state.withLock { state in
                state.trouble = error
                if let damage {
                    state.damage.append(StorageDamage(subject: disk.paths.database, reason: damage))
                }
                let reason = "the folder cannot be opened again: \(error.reason)"
                state.damage.append(StorageDamage(subject: disk.paths.directory, reason: reason))
            }
        }
        // The others may still have the file of a folder that was removed, and do not see the number in the new one.
        _ = disk.generation.advance()
    }
}
