import GRDB
import GRDBSQLite
import Locks

extension CacheStore {
    /// Steps of SQLite's machine that lookups and writing have taken since the folder was opened.
    ///
    /// What it costs to find one response among many shows here, without a clock.
    public var databaseSteps: Int { state.withLock { $0.disk }?.steps ?? 0 }
}

extension DiskTier {
    /// Steps of SQLite's machine on all connections; those of writing are 0 once it is closed.
    fileprivate var steps: Int { readers.steps + writer.unsafeRead { db in db.statementSteps } }
}

extension Database {
    /// Steps that all statements which are kept have taken.
    fileprivate var statementSteps: Int {
        guard let connection = sqliteConnection else { return 0 }
        var sum = 0
        var statement = sqlite3_next_stmt(connection, nil)
        while let current = statement {
            sum += Int(sqlite3_stmt_status(current, SQLITE_STMTSTATUS_VM_STEP, 0))
            statement = sqlite3_next_stmt(connection, current)
        }
        return sum
    }
}
