import GRDB

// The rules by which the responses of a folder were stored.
extension DiskTier {
    /// Records the rules by which this folder is filled; closes it and throws if others have filled it.
    func claim(for rules: String?) throws {
        guard let rules else { return }
        let other = try writer.writeWithoutTransaction { db in
            var other: String?
            try db.inTransaction(.immediate) {
                other = try Self.otherRules(than: rules, db)
                return .commit
            }
            return other
        }
        guard let other else { return }
        close()
        throw StorageError(
            operation: "use",
            path: paths.directory,
            reason:
                "a cache with other rules has filled it: found \(other), expected \(rules); give each a folder of its own"
        )
    }

    /// Returns the rules that are recorded, if they are others and there are entries; else records `rules`.
    private static func otherRules(than rules: String, _ db: Database) throws -> String? {
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS storing_rules (text TEXT NOT NULL)")
        let found = try String.fetchOne(db, sql: "SELECT text FROM storing_rules")
        if found == rules { return nil }
        let hasEntries =
            try db.cachedStatement(sql: "SELECT 1 FROM entry LIMIT 1").first([]) { true } ?? false
        if let found, hasEntries { return found }
        try db.execute(sql: "DELETE FROM storing_rules")
        try db.execute(sql: "INSERT INTO storing_rules VALUES (?)", arguments: [rules])
        return nil
    }
}
