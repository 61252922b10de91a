import Clocks
import GRDB

/// An open folder: its database, its body files and its generation number.
final class DiskTier: Sendable {
    /// Bodies up to this size, in bytes, are stored in the row.
    static let largestRowBody = 64 * 1024

    let paths: StoragePaths
    let generation: GenerationFile
    /// The connection for all writes, and for reads that must not overlap with writes.
    let writer: DatabaseQueue
    /// The connections for lookups, which do not wait for writers.
    let readers: RowReaders
    let checkpointer: LogCheckpointer

    /// The number that distinguishes the database from others that had its name.
    let identity: UInt64
    /// The number of pages that had been lost when it was opened.
    private let lostPages = LostPages.count
    private let inode: UInt64

    private init(
        paths: StoragePaths,
        generation: GenerationFile,
        writer: DatabaseQueue
    ) throws {
        self.paths = paths
        inode = paths.databaseInode
        self.generation = generation
        self.writer = writer
        let clock = SystemClock()
        readers = RowReaders(paths.database, generation, clock: clock)
        checkpointer = LogCheckpointer(paths.database, clock: clock) { [readers] in readers.rest() }
        identity = try writer.unsafeRead { db in try DiskSchema.identity(db) }
    }

    /// Opens the folder, which is created if missing.
    ///
    /// A database that cannot be opened, or that `damage` reports as damaged, is set aside and replaced by a new one.
    /// One that is filled by other rules than `rules` is refused, without a trace for its users. Returns the damage found.
    static func open(
        _ directory: String,
        damage known: String? = nil,
        for rules: String? = nil
    ) throws -> (tier: DiskTier, damage: [StorageDamage]) {
        let paths = StoragePaths(directory: directory)
        try paths.create()
        // Only one process at a time creates, sets aside or tidies up.
        let opening = try FolderLock(paths.directory)
        opening.take()
        defer { withExtendedLifetime(opening) {} }
        try paths.checkOwnership()
        let generation = try GenerationFile(path: paths.generation)
        var damage: [StorageDamage] = []
        if let known { damage.append(try DiskSchema.setAside(paths.database, reason: known)) }
        let tier = try openDatabase(paths, generation, &damage)
        try tier.claim(for: rules)
        try tier.removeLeftovers()
        // Compensates for a process that was killed before it could announce its last transaction.
        _ = generation.advance()
        return (tier, damage)
    }

    /// Opens the database, and sets it aside if it is older than an acknowledged invalidation or removal.
    private static func openDatabase(
        _ paths: StoragePaths,
        _ generation: GenerationFile,
        _ damage: inout [StorageDamage]
    ) throws -> DiskTier {
        // Read before the database, which then contains at least as much.
        let acknowledged = generation.acknowledged
        let writer = try DiskSchema.open(paths.database, damage: &damage)
        let tier = try DiskTier(paths: paths, generation: generation, writer: writer)
        do {
            try acknowledged.check(try writer.unsafeRead { try lastNumber("change", $0) }, of: tier.identity)
            return tier
        } catch let error as OutdatedDatabase {
            if try writer.unsafeRead({ try isEmpty($0) }) {
                generation.forgetAcknowledged()
                return tier
            }
            tier.close()
            damage.append(try DiskSchema.setAside(paths.database, reason: error.description))
            return try openDatabase(paths, generation, &damage)
        }
    }

    private static func isEmpty(_ db: Database) throws -> Bool {
        try db.cachedStatement(sql: "SELECT 1 FROM entry LIMIT 1").first([]) { false } ?? true
    }

    /// Removes the database, so that no process can use its contents; needs no disk space.
    ///
    /// Returns the generation before.
    func discard() throws(StorageError) -> UInt64 {
        let opening = try FolderLock(paths.directory)
        opening.take()
        defer { withExtendedLifetime(opening) {} }
        try paths.removeDatabase()
        return generation.advance()
    }

    /// Restores the mapped memory after pages were lost; throws if the index of SQLite's log was among them.
    func checkMemory() throws(LostIndex) {
        guard LostPages.count != lostPages else { return }
        generation.restore()
        guard paths.isIndexWhole else { throw LostIndex() }
    }

    /// Whether the folder's database is still the one that was opened.
    var isCurrent: Bool { paths.databaseInode == inode }

    /// Closes the database; rows and bodies that are being read stay readable until the reads end.
    func close() {
        readers.close()
        checkpointer.close()
        do {
            try writer.close()
        } catch {
            // A write is in progress; the connection closes with its last user.
            return
        }
    }

    /// Converts a database error to an error of the store.
    func failure(_ operation: String, _ error: any Error) -> StorageError {
        DiskSchema.failure(operation, paths.database, error)
    }

    private func removeLeftovers() throws {
        try paths.removeLeftovers { try writer.unsafeRead { db in try DiskSchema.files(db) } }
    }
}
