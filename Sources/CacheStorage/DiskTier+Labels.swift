import CacheSemantics
import GRDB

extension DiskTier {
    /// Writes the labels of a row, in the place of those it has.
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

    /// The stored responses of all rows with a label.
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

// MARK: - What a change concerns

extension DiskTier {
    /// The rows that only the database can tell a change is about, within the running transaction.
    func rows(concernedBy change: StorageChange, _ db: Database) throws -> [ConcernedRow] {
        switch change.kind {
        case .evicted, .freshened, .replaced, .removed, .cleared, .removedOrigin, .removedSince: []
        case .invalidated, .removedKey, .removedLabel: change.label == 0 ? [] : try rows(labelled: change.label, db)
        case .removedPrefix: try rowsByMetadata(change, db)
        }
    }

    private func rows(labelled label: UInt64, _ db: Database) throws -> [ConcernedRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT digest, id FROM entry JOIN label ON entry.id = label.entry WHERE label.label = ?"
        )
        var rows: [ConcernedRow] = []
        try statement.each([.bits(label)]) {
            rows.append(ConcernedRow(digest: statement.bits(0), row: statement.integer(1)))
        }
        return rows
    }

    /// The rows whose metadata say that a change is about them; reads all metadata.
    private func rowsByMetadata(_ change: StorageChange, _ db: Database) throws -> [ConcernedRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT digest, entry.id, metadata FROM entry JOIN content USING (id)"
        )
        var rows: [ConcernedRow] = []
        try statement.each([]) {
            // What cannot be read is no answer any more either.
            let stored = statement.withBlob(2) { EntryMetadata($0, isInvalidated: false) }?.stored
            guard let stored, change.concerns(stored, labels: []) else { return }
            rows.append(ConcernedRow(digest: statement.bits(0), row: statement.integer(1)))
        }
        return rows
    }
}
