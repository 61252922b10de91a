import CacheSemantics
import GRDB

extension DiskTier {
    /// The number of changes kept for other processes; a process that is further behind rereads everything.
    private static let keptChanges: Int64 = 8192

    /// Writes a batch within the running transaction; returns the rows of the items, in their order.
    func write(_ batch: WriteBatch, _ db: Database) throws -> [Int64] {
        for change in batch.changes { try apply(change, db) }
        if !batch.changes.isEmpty { try trimChanges(db) }
        for record in batch.invalidated {
            var record = record
            record.isInvalidated = true
            try db.cachedStatement(sql: "UPDATE entry SET is_invalidated = 1, sum = ? WHERE id = ?")
                .run([.bits(record.sum), .integer(record.row)])
        }
        try write(batch.used, maximumRows: batch.maximumUseRows, db)
        return try batch.items.map { try write($0, db) }
    }

    private func apply(_ change: StorageChange, _ db: Database) throws {
        try removeRows(of: change, db)
        let statement = try db.cachedStatement(
            sql: "INSERT INTO change (kind, entry, digest, variant, moment, text) VALUES (?, ?, ?, ?, ?, ?)"
        )
        try statement.run([
            .integer(change.kind.rawValue), .integer(change.row), .bits(change.digest), .bits(change.variant),
            .real(change.moment), change.text.isEmpty ? .null : .blob(Array(change.text.utf8)),
        ])
    }

    private func removeRows(of change: StorageChange, _ db: Database) throws {
        switch change.kind {
        case .evicted, .removed, .replaced:
            for table in ["entry", "content"] {
                try db.cachedStatement(sql: "DELETE FROM \(table) WHERE id = ?").run([.integer(change.row)])
            }
            try Self.removeLabels(of: change.row, db)
        case .cleared:
            for table in ["entry", "use", "content", "label"] {
                try db.cachedStatement(sql: "DELETE FROM \(table)").run([])
            }
        case .invalidated, .removedKey, .removedLabel, .removedPrefix, .removedOrigin, .removedSince,
            .freshened:
            break
        }
    }

    private func trimChanges(_ db: Database) throws {
        let last = db.lastInsertedRowID
        try db.cachedStatement(sql: "DELETE FROM change WHERE id <= ?").run([
            .integer(last - Self.keptChanges)
        ])
    }

    private func write(_ item: WriteBatch.Item, _ db: Database) throws -> Int64 {
        item.record.row == 0 ? try insert(item, db) : try update(item, db)
    }

    private func insert(_ item: WriteBatch.Item, _ db: Database) throws -> Int64 {
        let record = item.record
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO entry (digest, variant, size, used, stored_at, file, is_invalidated, origin, sum)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        try statement.run([
            .bits(record.digest), .bits(record.variant), .integer(Int64(record.size)), .integer(record.used),
            .real(record.storedAt), .bits(record.file), .integer(record.isInvalidated ? 1 : 0),
            .bits(record.origin), .bits(record.sum),
        ])
        let row = db.lastInsertedRowID
        try insertContent(item.write, row: row, db)
        try Self.write(item.write.labels, of: row, isNew: true, db)
        return row
    }

    private func insertContent(_ write: PendingWrite, row: Int64, _ db: Database) throws {
        var body = SQLValue.null
        var sum: UInt64 = 0
        switch write.body {
        case .bytes(let bytes):
            body = .blob(bytes)
            sum = ByteHash.contentSum(bytes)
        case .file(let file): sum = file.checksum
        case nil: break
        }
        let encoded = write.metadata.encoded()
        let key = write.metadata.stored.key
        let normalized = key.normalizedTargetURI
        try db.cachedStatement(
            sql: """
                INSERT INTO content (id, metadata_sum, body_sum, uri, normalized, metadata, body)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        )
        .run([
            .integer(row), .bits(ByteHash.sum(encoded)), .bits(sum), .blob(Array(key.targetURI.utf8)),
            normalized == key.targetURI ? .null : .blob(Array(normalized.utf8)), .blob(encoded), body,
        ])
    }

    private func update(_ item: WriteBatch.Item, _ db: Database) throws -> Int64 {
        let record = item.record
        try db.cachedStatement(sql: "UPDATE entry SET size = ?, is_invalidated = ?, sum = ? WHERE id = ?")
            .run([
                .integer(Int64(record.size)), .integer(record.isInvalidated ? 1 : 0), .bits(record.sum),
                .integer(record.row),
            ])
        let encoded = item.write.metadata.encoded()
        try db.cachedStatement(sql: "UPDATE content SET metadata_sum = ?, metadata = ? WHERE id = ?")
            .run([.bits(ByteHash.sum(encoded)), .blob(encoded), .integer(record.row)])
        try Self.write(item.write.labels, of: record.row, isNew: false, db)
        return record.row
    }
}
