import GRDB
import GRDBSQLite
import Locks

/// Copies what SQLite's log holds into the database, on a thread and a connection of its own.
///
/// SQLite itself does it within the commit that fills the log. That commit, and all who wait for it, then wait for the
/// disk: half a second among a million entries. Here only the last few pages, which other commits have written
/// meanwhile, are copied on the writer's thread, and only once the log is long, so that it can begin anew.
final class LogCheckpointer: Sendable {
    /// How many pages are written before a checkpoint begins.
    private static let pagesBetween = 1000
    /// How few may be left to other commits.
    private static let fewPages = 64
    /// How many the log may have before the writer's thread copies what is left.
    private static let mostPages = 4000

    private struct State {
        /// Opened by the first checkpoint.
        var connection: DatabaseQueue?
        var isRunning = false
        var isClosed = false
        /// Whether the writer's thread is to copy the rest.
        var isAlmostDone = false
        /// How many pages the writer had written when the last checkpoint began.
        var pages = 0

        mutating func step(_ written: Int) -> Step? {
            guard !isRunning, !isClosed else { return nil }
            if isAlmostDone {
                isAlmostDone = false
                return .finish
            }
            guard written - pages >= LogCheckpointer.pagesBetween else { return nil }
            pages = written
            isRunning = true
            return .begin
        }
    }
    private enum Step {
        case begin, finish
    }
    private let path: String
    private let state = Lock(State())

    /// Creates a checkpointer of the database at `path`, whose writer makes no checkpoints.
    init(_ path: String) { self.path = path }

    /// Checkpoints where there is enough to copy; for the writer's thread, after a transaction.
    func didWrite(_ db: Database) {
        let pages = db.pagesWritten
        switch state.withLock({ $0.step(pages) }) {
        case nil: break
        case .finish: _ = db.checkpointLog()
        case .begin: begin(otherwise: db)
        }
    }

    /// Waits for a checkpoint that is under way, and makes no other.
    func close() {
        let connection = state.withLock { state in
            state.isClosed = true
            defer { state.connection = nil }
            return state.connection
        }
        // What it could fail by, the writer's connection meets again when it is closed.
        _ = Result { try connection?.close() }
    }

    private func begin(otherwise db: Database) {
        do {
            let connection = try state.withLock { $0.connection } ?? open()
            connection.asyncWriteWithoutTransaction { db in self.run(db) }
        } catch {
            _ = db.checkpointLog()
            state.withLock { $0.isRunning = false }
        }
    }

    private func open() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "checkpoint"
        let connection = try DatabaseQueue(path: path, configuration: configuration)
        state.withLock { if !$0.isClosed { $0.connection = connection } }
        return connection
    }

    /// Copies until little is left, as long as that becomes less: others may write as fast, or hold on to what they see.
    private func run(_ db: Database) {
        var last: (pages: Int, left: Int)?
        while let now = db.checkpointLog(), last.map({ now.left < $0.left / 2 }) ?? true {
            last = now
            if now.left <= Self.fewPages { break }
        }
        state.withLock { state in
            state.isRunning = false
            state.isAlmostDone = last.map { $0.left > 0 && $0.pages >= Self.mostPages } ?? false
        }
    }
}

extension Database {
    /// How many pages this connection has written to the log.
    fileprivate var pagesWritten: Int {
        var pages: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 0)
        return Int(pages)
    }

    /// Copies what nobody needs in the log any more; returns how many pages the log has and how many of them are left,
    /// `nil` where it cannot be done now.
    fileprivate func checkpointLog() -> (pages: Int, left: Int)? {
        var all: Int32 = 0
        var copied: Int32 = 0
        let mode = SQLITE_CHECKPOINT_PASSIVE
        guard sqlite3_wal_checkpoint_v2(sqliteConnection, nil, mode, &all, &copied) == SQLITE_OK, all >= 0
        else {
            return nil
        }
        return (Int(all), Int(all - copied))
    }
}
