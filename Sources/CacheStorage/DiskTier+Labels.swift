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

    /// The digests of the keys of all rows with one of the labels.
    func digests(labelled labels: [UInt64]) throws -> Set<UInt64> {
        try writer.writeWithoutTransaction { db in
            var digests: Set<UInt64> = []
            for label in labels {
                let statement = try db.cachedStatement(
                    sql: "SELECT digest FROM entry JOIN label ON entry.id = label.entry WHERE label.label = ?"
                )
                try statement.each([.bits(label)]) { digests.insert(statement.bits(0)) }
            }
            return digests
        }
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

    /// The digests and variants of the rows of an origin that an earlier version has written; reads the metadata of all
    /// that it has.
    func variants(of origin: String) throws -> [(digest: UInt64, variant: VariantKey)] {
        try writer.writeWithoutTransaction { db in
            let statement = try db.cachedStatement(
                sql:
                    "SELECT digest, metadata FROM entry JOIN content ON entry.id = content.id WHERE origin = 0"
            )
            var found: [(digest: UInt64, variant: VariantKey)] = []
            try statement.each([]) {
                let stored = statement.withBlob(1) { EntryMetadata($0, isInvalidated: false) }?.stored
                if let stored, stored.origin == origin { found.append((statement.bits(0), stored.variant)) }
            }
            return found
        }
    }
}
