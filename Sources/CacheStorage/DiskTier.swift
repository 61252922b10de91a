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

    private let inode: UInt64
    /// Held in common by all who have the folder open; on the folder of bodies, which stays when other files go.
    private let use: FolderLock

    private init(paths: StoragePaths, use: FolderLock, generation: GenerationFile, writer: DatabaseQueue) {
        self.paths = paths
        self.use = use
        inode = paths.databaseInode
        self.generation = generation
        self.writer = writer
        readers = RowReaders(paths.database, generation)
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
        let use = try FolderLock(paths.bodies)
        let isAlone = use.takeIfFree()
        let generation = try GenerationFile(path: paths.generation)
        var damage: [StorageDamage] = []
        if let known { damage.append(try DiskSchema.setAside(paths.database, reason: known)) }
        let writer = try DiskSchema.open(paths.database, damage: &damage)
        let tier = DiskTier(paths: paths, use: use, generation: generation, writer: writer)
        if !damage.isEmpty { _ = generation.advance() }
        if isAlone { try tier.removeLeftovers() }
        use.share()
        return (tier, damage)
    }

    /// Whether the folder's database is still the one that was opened.
    var isCurrent: Bool { paths.databaseInode == inode }

    /// Closes the database; what is still being read stays readable until then.
    func close() {
        readers.close()
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
        let known = try writer.unsafeRead { db in try DiskSchema.files(db) }
        paths.removeLeftovers { known.contains($0) }
    }
}
