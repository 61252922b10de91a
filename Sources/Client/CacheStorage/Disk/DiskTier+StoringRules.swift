import GRDB

// The rules by which the responses of a folder were stored.
extension DiskTier {
    /// Records the rules by which this folder is filled; closes it and throws if it is one of a cache with others.
    func claim(for rules: String?) throws {
        guard let rules else { return }
        let other = try writer.writeWithoutTransaction { db in
            try db.immediately { try Self.otherRules(than: rules, db) } ?? nil
        }
        guard let other else { return }
        close()
        let difference = "it is the folder of a cache with other rules: found \(other), expected \(rules)"
        throw StorageError(
            operation: "use",
            path: paths.directory,
            reason: difference + "; give each a folder of its own"
        )
    }

    /// Returns the rules that are recorded, if they are others; records `rules` if there are none.
    ///
    /// Others hold for an empty folder, too: what the other cache is about to store is not in the database yet.
    private static func otherRules(than rules: String, _ db: Database) throws -> String? {
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS storing_rules (text TEXT NOT NULL)")
        let found = try String.fetchOne(db, sql: "SELECT text FROM storing_rules")
        if let found { return found == rules ? nil : found }
        try db.execute(sql: "INSERT INTO storing_rules VALUES (?)", arguments: [rules])
        return nil
    }
}
