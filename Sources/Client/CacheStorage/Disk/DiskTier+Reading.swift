import CacheSemantics
import GRDB

/// The last row and the last change of the folder that a process has read.
struct DiskMarks: Sendable, Hashable {
    var row: Int64 = 0
    var change: Int64 = 0

    /// The marks of a folder that has not been read.
    static let unknown = DiskMarks(row: -1, change: -1)
    /// The marks of a folder that was read, and of which all must be read again.
    static let outdated = DiskMarks(row: -2, change: -2)
}

/// The changes that other processes made to the folder.
struct ExternalChanges: Sendable {
    var marks: DiskMarks
    var changes: [StorageChange] = []
    /// New rows.
    var records: [DiskIndex.Record] = []
    /// Known rows with new metadata.
    var freshened: [DiskIndex.Record] = []
    /// Rows that differ from what was written.
    var damagedRows: [Int64] = []
    /// Whether `records` contains all rows, because the changes in between are no longer recorded.
    var isComplete = false

    /// Returns a report of the damaged rows of the database at `path`; `nil` if there are none.
    func damage(of path: String) -> StorageDamage? {
        guard !damagedRows.isEmpty else { return nil }
        return StorageDamage(subject: path, reason: "\(damagedRows.count) of its rows are damaged")
    }
}

/// One row of content.
struct ContentRow: Sendable {
    var bodySum: UInt64
    var metadata: EntryMetadata?
    var isMetadataIntact: Bool
    /// `nil` if the body is a file.
    var body: [UInt8]?
}

extension DiskTier {
    /// Reads a row, which is expected to belong to `key`; returns `nil` if it is gone.
    func content(row: Int64, of key: CacheKey, isInvalidated: Bool) throws -> ContentRow? {
        try readers.content(row: row, of: key, isInvalidated: isInvalidated)
    }

    /// Returns the changes since `marks`; `nil` if there are none.
    ///
    /// Must be called in a transaction, so that the parts are consistent.
    static func news(since marks: DiskMarks, _ db: Database) throws -> ExternalChanges? {
        let now = DiskMarks(row: try lastNumber("entry", db), change: try lastNumber("change", db))
        guard now != marks else { return nil }
        var news = ExternalChanges(marks: now)
        news.changes = try changes(after: marks.change, db)
        // Another program may have written any number; a wrong difference causes everything to be reread.
        if Int64(news.changes.count) == now.change &- marks.change {
            news.records = try records("WHERE entry.id > ?", [.integer(marks.row)], db, &news.damagedRows)
            for change in news.changes where change.kind == .freshened && change.row <= marks.row {
                news.freshened += try records(
                    "WHERE entry.id = ?",
                    [.integer(change.row)],
                    db,
                    &news.damagedRows
                )
            }
        } else {
            news.isComplete = true
            let all = "\(Self.lastUses) WHERE entry.id > 0 ORDER BY last_use"
            news.records = try records(
                all,
                [],
                used: "coalesce(latest.used, entry.used)",
                db,
                &news.damagedRows
            )
        }
        return news
    }

    static func lastNumber(_ table: String, _ db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = '\(table)'")
        return try statement.first([]) { statement.integer(0) } ?? 0
    }

    private static func changes(after last: Int64, _ db: Database) throws -> [StorageChange] {
        let statement = try db.cachedStatement(
            sql: "SELECT kind, entry, digest, variant, moment, text FROM change WHERE id > ? ORDER BY id"
        )
        var changes: [StorageChange] = []
        try statement.each([.integer(last)]) {
            // An unknown kind leaves a gap, and a gap causes everything to be reread.
            guard let kind = StorageChange.Kind(rawValue: statement.integer(0)) else { return }
            let change = StorageChange(
                kind: kind,
                row: statement.integer(1),
                digest: statement.bits(2),
                variant: statement.bits(3),
                moment: statement.real(4),
                text: statement.withBlob(5) { String(decoding: $0, as: UTF8.self) }
            )
            changes.append(change)
        }
        return changes
    }

    private static func records(
        _ selection: String,
        _ values: [SQLValue],
        used: String = "entry.used",
        _ db: Database,
        _ damagedRows: inout [Int64]
    ) throws -> [DiskIndex.Record] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT entry.id, digest, variant, size, \(used) AS last_use, stored_at, file, is_invalidated, origin,
                    sum
                FROM entry \(selection)
                """
        )
        var records: [DiskIndex.Record] = []
        try statement.each(values) {
            let record = DiskIndex.Record(
                digest: statement.bits(1),
                variant: statement.bits(2),
                // Negative only in a damaged file; the sum of the sizes must not be distorted.
                size: Int(min(max(statement.integer(3), 0), 1 << 48)),
                storedAt: statement.real(5),
                file: statement.bits(6),
                isInvalidated: statement.integer(7) != 0,
                origin: statement.bits(8),
                row: statement.integer(0),
                used: min(statement.integer(4), 1 << 62)
            )
            if record.sum == statement.bits(9) {
                records.append(record)
            } else {
                damagedRows.append(record.row)
            }
        }
        return records
    }
}
