import GRDB

/// The order of use, which is written next to the entries.
extension DiskTier {
    /// Joins each entry with its last use after it was written.
    static let lastUses =
        "LEFT JOIN (SELECT entry, max(used) AS used FROM use GROUP BY entry) AS latest ON latest.entry = entry.id"

    /// Adds the last uses of some entries, and leaves one row for each entry where there are too many.
    func write(_ uses: [DiskIndex.Record], maximumRows: Int, _ db: Database) throws {
        guard !uses.isEmpty else { return }
        for record in uses { try addUse(of: record.row, record.used, db) }
        // Numbered without gaps, from 1.
        if db.lastInsertedRowID > Int64(maximumRows) { try removeOldUses(db) }
    }

    private func addUse(of row: Int64, _ used: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO use (entry, used) VALUES (?, ?)")
            .run([.integer(row), .integer(used)])
    }

    private func removeOldUses(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT use.entry, max(use.used) FROM use JOIN entry ON entry.id = use.entry
                GROUP BY use.entry ORDER BY use.entry
                """
        )
        var last: [(row: Int64, used: Int64)] = []
        try statement.each([]) { last.append((statement.integer(0), statement.integer(1))) }
        try db.cachedStatement(sql: "DELETE FROM use").run([])
        for use in last { try addUse(of: use.row, use.used, db) }
    }
}
