import CacheSemantics
import GRDB

extension DiskTier {
    /// Writes the labels of a row, replacing its previous ones.
    static func write(_ labels: [UInt64], of row: Int64, isNew: Bool, _ db: Database) throws {
        if !isNew { try removeLabels(of: row, db) }
        for label in labels {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO label (label, entry) VALUES (?, ?)")
                .run([.bits(label), .integer(row)])
        }
    }

    /// Whether any row has a label.
    static func hasLabels(_ db: Database) throws -> Bool {
        try db.cachedStatement(sql: "SELECT 1 FROM label LIMIT 1").first([]) { true } ?? false
    }

    static func removeLabels(of row: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM label WHERE entry = ?").run([.integer(row)])
    }

    /// Returns the stored responses of all rows with a label.
    func responses(labelled label: UInt64) throws -> [StoredResponse] {
        try writer.writeWithoutTransaction { db in
            let statement = try db.cachedStatement(
                sql:
                    "SELECT metadata FROM content JOIN label ON content.id = label.entry WHERE label.label = ?"
            )
            var found: [StoredResponse] = []
            try statement.each([.bits(label)]) {
                let metadata = statement.withBlob(0) { EntryMetadata($0, isInvalidated: false) }
                if let metadata { found.append(metadata.stored) }
            }
            return found
        }
    }
}

// MARK: - Rows affected by a change

extension DiskTier {
    /// Returns the rows affected by a change that only the database can find, within the running transaction.
    func rows(concernedBy change: StorageChange, _ db: Database) throws -> [AffectedRow] {
        switch change.kind {
        case .evicted, .freshened, .replaced, .removed, .cleared, .removedOrigin, .removedSince: []
        case .invalidated, .removedKey, .removedLabel:
            try (change.label == 0 ? [] : rows(labelled: change.label, db)) + rows(searchedBy: change, db)
        case .removedPrefix: try rows(beginningWith: change.text, db)
        }
    }

    private func rows(labelled label: UInt64, _ db: Database) throws -> [AffectedRow] {
        let sql = "SELECT digest, id FROM entry JOIN label ON entry.id = label.entry WHERE label.label = ?"
        return try rows(sql, [.bits(label)], db)
    }

    /// Returns the rows of the entries that the target URI of a change matches by their No-Vary-Search.
    private func rows(searchedBy change: StorageChange, _ db: Database) throws -> [AffectedRow] {
        guard let label = change.searchLabel else { return [] }
        let statement = try db.cachedStatement(
            sql: """
                SELECT digest, id, metadata FROM content JOIN entry USING (id) JOIN label ON id = label.entry
                WHERE label.label = ?
                """
        )
        var rows: [AffectedRow] = []
        try statement.each([.bits(label)]) {
            let stored = statement.withBlob(2) { EntryMetadata($0, isInvalidated: false) }?.stored
            // A row that cannot be read is found damaged when it is used.
            guard let stored, change.concerns(stored, labels: []) else { return }
            rows.append(AffectedRow(digest: statement.bits(0), row: statement.integer(1)))
        }
        return rows
    }

    /// Returns the rows whose target URIs have a prefix, as stored or normalized; a row that matches in both forms is
    /// returned twice.
    private func rows(beginningWith prefix: String, _ db: Database) throws -> [AffectedRow] {
        let first = Array(prefix.utf8)
        // UTF-8 has no byte 0xFF, so the last byte can be incremented; the result sorts after all strings with the
        // prefix.
        let end = first.last.map { Array(first.dropLast()) + [$0 + 1] } ?? [0xFF]
        return try ["uri", "normalized"].flatMap { column -> [AffectedRow] in
            let sql = """
                SELECT digest, id FROM content JOIN entry USING (id) WHERE \(column) >= ? AND \(column) < ?
                """
            return try rows(sql, [.blob(first), .blob(end)], db)
        }
    }

    private func rows(_ sql: String, _ values: [SQLValue], _ db: Database) throws -> [AffectedRow] {
        let statement = try db.cachedStatement(sql: sql)
        var rows: [AffectedRow] = []
        try statement.each(values) {
            rows.append(AffectedRow(digest: statement.bits(0), row: statement.integer(1)))
        }
        return rows
    }
}
