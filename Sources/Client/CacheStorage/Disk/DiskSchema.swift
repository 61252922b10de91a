import CLibrary
import GRDB

/// The database's schema, and how it is opened.
///
/// `entry` is narrow, so that a million of them are read quickly at the start; `content` is only read by row number.
/// The origin of an entry, as a digest, is there to clear what a site has stored. `label` finds the entries of a group
/// of RFC 9875 or with a tag, and those whose keys are not of a normalized target URI alone. `content_by_uri` finds all
/// whose target URIs begin alike, by the bytes of the URI; `normalized` is its normal form where that is another.
/// `use` records which entries were used after they were written: a row that is added costs less than to change the one in
/// `entry`, which is anywhere in the file.
/// `change` informs other processes of what is no longer true; new rows they find by their ever-growing numbers.
enum DiskSchema {
    static let version = 8
    /// The time to wait for another process that is writing.
    static let busyMilliseconds: Int32 = 2000
    /// The cache size of a connection: in pages, or in KiB if negative.
    static let cacheSize = -8192
    /// The cache size of a connection that looks up single rows, in pages: small enough to stay in the processor's own
    /// cache.
    ///
    /// A page that is missing is copied from the system's cache. Copying it into memory already in the processor's
    /// cache costs about as much as reading a cached page from elsewhere, so lookups among few rows and among a million
    /// take the same time.
    static let readerCacheSize = 16
    private static let application = 0x4343_4853

    private static let definition = """
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY AUTOINCREMENT, digest INTEGER NOT NULL, variant INTEGER NOT NULL,
            size INTEGER NOT NULL, used INTEGER NOT NULL, stored_at REAL NOT NULL, file INTEGER NOT NULL,
            is_invalidated INTEGER NOT NULL, origin INTEGER NOT NULL, sum INTEGER NOT NULL);
        CREATE TABLE use (id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, used INTEGER NOT NULL);
        CREATE TABLE content (
            id INTEGER PRIMARY KEY, metadata_sum INTEGER NOT NULL, body_sum INTEGER NOT NULL,
            uri BLOB NOT NULL, normalized BLOB, metadata BLOB NOT NULL, body BLOB);
        CREATE INDEX content_by_uri ON content (uri);
        CREATE INDEX content_by_normalized ON content (normalized) WHERE normalized IS NOT NULL;
        CREATE TABLE change (
            id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, entry INTEGER NOT NULL,
            digest INTEGER NOT NULL, variant INTEGER NOT NULL, moment REAL NOT NULL, text BLOB);
        \(labels)
        \(identity)
        PRAGMA application_id = \(application);
        PRAGMA user_version = \(version);
        """

    /// The table that finds rows by labels other than their key.
    private static let labels = """
        CREATE TABLE label (label INTEGER NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (label, entry)) WITHOUT ROWID;
        CREATE INDEX label_of_entry ON label (entry);
        """

    /// The table that identifies this database.
    private static let identity = """
        CREATE TABLE identity (number INTEGER NOT NULL);
        INSERT INTO identity VALUES (random());
        """

    /// Opens the database at `path`; one that is damaged or has another version is set aside first.
    static func open(_ path: String, damage: inout [StorageDamage]) throws -> DatabaseQueue {
        do {
            return try connect(path)
        } catch {
            guard isDamage(error) || isUnknownForm(error, path) else { throw error }
            damage.append(try setAside(path, reason: reason(error)))
        }
        return try connect(path)
    }

    /// Whether an error means that the file is not, or is no longer, a database of ours.
    static func isDamage(_ error: any Error) -> Bool {
        if error is UnknownVersion || error is ImplausibleNumber { return true }
        if error is OutdatedDatabase || error is LostIndex { return true }
        guard let error = error as? DatabaseError else { return false }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_CANTOPEN: return true
        // SQLite reports these if a table of ours is missing or the header has an unknown format.
        case .SQLITE_ERROR:
            return ["no such", "already exists", "duplicate column", "unsupported file format"].contains {
                error.message?.contains($0) == true
            }
        default: return false
        }
    }

    /// Whether the header has an unknown write format; SQLite then opens even a writable file read-only.
    private static func isUnknownForm(_ error: any Error, _ path: String) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_READONLY && access(path, W_OK) == 0
    }

    /// Converts a database error to an error of the store.
    static func failure(_ operation: String, _ path: String, _ error: any Error) -> StorageError {
        error as? StorageError ?? StorageError(operation: operation, path: path, reason: reason(error))
    }

    /// Returns the number that distinguishes the database from others that had its name.
    static func identity(_ db: Database) throws -> UInt64 {
        let statement = try db.cachedStatement(sql: "SELECT number FROM identity")
        return try statement.first([]) { statement.bits(0) } ?? 0
    }

    /// Returns the numbers of all body files.
    static func files(_ db: Database) throws -> Set<UInt64> {
        let statement = try db.cachedStatement(sql: "SELECT file FROM entry WHERE file <> 0")
        var files: Set<UInt64> = []
        try statement.each([]) { files.insert(statement.bits(0)) }
        return files
    }

    private struct UnknownVersion: Error, CustomStringConvertible {
        let found: Int
        let isOwn: Bool
        var description: String {
            isOwn ? "version \(found), expected \(DiskSchema.version)" : "another program's database"
        }
    }

    /// The last number of a table's rows is one that no use of a store reaches, and after which SQLite may find no other.
    private struct ImplausibleNumber: Error, CustomStringConvertible {
        let found: String
        var description: String { "\(found) as a table's last number" }
    }

    /// Returns the cause of an error, in SQLite's words if it comes from SQLite.
    static func reason(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return error.message ?? error.resultCode.description
    }

    private static func connect(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(Double(busyMilliseconds) / 1000)
        configuration.label = "cache"
        configuration.prepareDatabase { db in
            // The page size applies only to a new database: fewer pages for bodies of a few KiB.
            try db.execute(
                sql: """
                    PRAGMA page_size = 8192; PRAGMA synchronous = NORMAL; PRAGMA cache_size = \(cacheSize);
                    PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = \(longestIdleLog)
                    """
            )
        }
        createForOwner(path)
        let writer = try DatabaseQueue(path: path, configuration: configuration)
        try writer.writeWithoutTransaction { db in try db.immediately { try prepare(db) } }
        return writer
    }

    /// The size to which SQLite shortens its log when it starts it anew, in bytes; what a burst of writes needed is given back.
    private static let longestIdleLog = 4 << 20

    /// Creates an empty database that only its owner may read (RFC 9111 §7); SQLite gives its other files the same
    /// permissions.
    private static func createForOwner(_ path: String) {
        let descriptor = CLibrary.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 { CLibrary.close(descriptor) }
    }

    private static func prepare(_ db: Database) throws {
        let found = try db.makeStatement(sql: "PRAGMA user_version").number()
        let owner = try db.makeStatement(sql: "PRAGMA application_id").number()
        if found == 0, owner == 0,
            try db.makeStatement(sql: "SELECT count(*) FROM sqlite_schema").number() == 0
        {
            try db.execute(sql: definition)
        } else if found != version || owner != application {
            throw UnknownVersion(found: found, isOwn: owner == application)
        } else {
            try checkLastNumbers(db)
        }
    }

    private static func checkLastNumbers(_ db: Database) throws {
        let statement = try db.makeStatement(
            sql: "SELECT CAST(seq AS TEXT) FROM sqlite_sequence WHERE seq NOT BETWEEN 0 AND \(Int64.max / 2)"
        )
        let found = try statement.first([]) { statement.withBlob(0) { String(decoding: $0, as: UTF8.self) } }
        if let found { throw ImplausibleNumber(found: found) }
    }

    /// Moves a database aside, replacing one that was set aside before.
    static func setAside(_ path: String, reason: String) throws(StorageError) -> StorageDamage {
        for suffix in ["", "-wal", "-shm"] {
            guard rename(path + suffix, path + ".damaged" + suffix) != 0, errno != ENOENT else { continue }
            throw .system("set aside", path + suffix)
        }
        return StorageDamage(subject: path, reason: "set aside: \(reason)")
    }
}

extension Statement {
    fileprivate func number() throws -> Int {
        Int(try first([]) { integer(0) } ?? 0)
    }
}
