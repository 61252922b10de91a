import GRDB
import GRDBSQLite
import Locks

extension CacheStore {
    /// The steps of SQLite's virtual machine taken by lookups and writes since the folder was opened.
    ///
    /// They show the cost of finding one response among many, without a clock.
    package var databaseSteps: Int { state.withLock { $0.disk }?.steps ?? 0 }
}

extension DiskTier {
    /// The steps of SQLite's virtual machine on all connections; those of writes are 0 once it is closed.
    fileprivate var steps: Int { readers.steps + writer.unsafeRead { db in db.statementSteps } }
}

extension Database {
    /// The steps taken by all statements that are still prepared.
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
