import Clocks
import GRDB

/// An open folder: its database, its body files and its generation number.
final class DiskTier: Sendable {
    /// Bodies up to this size are kept in the row.
    static let largestRowBody = 64 * 1024

    let paths: StoragePaths
    let generation: GenerationFile
    /// All writing, and reading that must not overlap with it.
    let writer: DatabaseQueue
    /// Lookups, which wait for no writer.
    let readers: RowReaders
    let checkpointer: LogCheckpointer

    /// What tells the database from others that had its name.
    let identity: UInt64
    /// How many pages had been lost when it was opened.
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
    /// A database that cannot be read as one, or of which `damage` says that it is damaged, is set aside, and a new
    /// one begun. Returns what was found damaged.
    static func open(
        _ directory: String,
        damage known: String? = nil
    ) throws -> (tier: DiskTier, damage: [StorageDamage]) {
        let paths = StoragePaths(directory: directory)
        try paths.create()
        // One process at a time creates, sets aside or tidies up.
        let opening = try FolderLock(paths.directory)
        opening.take()
        defer { withExtendedLifetime(opening) {} }
        let generation = try GenerationFile(path: paths.generation)
        var damage: [StorageDamage] = []
        if let known { damage.append(try DiskSchema.setAside(paths.database, reason: known)) }
        let tier = try openDatabase(paths, generation, &damage)
        // Whoever was killed before it could tell others of its last transaction is made up for.
        _ = generation.advance()
        try tier.removeLeftovers()
        return (tier, damage)
    }

    /// Opens the database, and sets it aside where it is older than what was invalidated or removed.
    private static func openDatabase(
        _ paths: StoragePaths,
        _ generation: GenerationFile,
        _ damage: inout [StorageDamage]
    ) throws -> DiskTier {
        // Before the database is looked at, which then knows at least as much.
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

    /// Removes the database, so that nobody uses what is in it any more; needs no room.
    func discard() throws(StorageError) {
        let opening = try FolderLock(paths.directory)
        opening.take()
        defer { withExtendedLifetime(opening) {} }
        try paths.removeDatabase()
        _ = generation.advance()
    }

    /// Looks after what is mapped, once pages were lost; throws where the index of SQLite's log was among them.
    func checkMemory() throws(LostIndex) {
        guard LostPages.count != lostPages else { return }
        generation.restore(creates: true)
        guard paths.isIndexWhole else { throw LostIndex() }
    }

    /// Whether the folder's database is still the one that was opened.
    var isCurrent: Bool { paths.databaseInode == inode }

    /// Closes the database; what is still being read stays readable until then.
    func close() {
        readers.close()
        checkpointer.close()
        do {
            try writer.close()
        } catch {
            // Somebody writes at this moment; the connection closes with its last user.
            return
        }
    }

    /// An error of the database as one of the store.
    func failure(_ operation: String, _ error: any Error) -> StorageError {
        DiskSchema.failure(operation, paths.database, error)
    }

    private func removeLeftovers() throws {
        try paths.removeLeftovers { try writer.unsafeRead { db in try DiskSchema.files(db) } }
    }
}
