import Clocks
import GRDB
import GRDBSQLite
import Locks

/// A checkpointer that copies SQLite's log into the database, on its own thread and connection.
///
/// SQLite itself does this within the commit that fills the log. That commit, and every operation that waits for it,
/// then waits for the disk: half a second with a million entries. Here the writer's thread only copies what other
/// commits wrote during a checkpoint, and only if the log is long, so that SQLite can reuse the log from its start.
///
/// Reading a page from the log is slower than from the database. The log is therefore also copied when writing pauses.
final class LogCheckpointer: Sendable {
    /// The number of pages written before a checkpoint starts although writing continues.
    private static let pagesBetween = 1000
    /// The number of pages that may stay in the log.
    private static let fewPages = 64
    /// The size of the log, in pages, from which the writer's thread copies the rest.
    private static let maximumPages = 4000
    /// The time without writes after which a checkpoint starts.
    static let pause = Duration.milliseconds(20)

    private struct State {
        /// Opened by the first checkpoint.
        var connection: DatabaseQueue?
        var isRunning = false
        var isClosed = false
        /// Whether the end of a pause is awaited.
        var isWaiting = false
        /// Whether the writer's thread must copy the rest.
        var isAlmostDone = false
        /// The number of pages that the writer has written.
        var pages = PageCount()
        /// The number of those, from the first on, that have certainly been copied.
        var copied = 0

        var written: Int { pages.total }
        /// The number of those that may not have been copied.
        var waiting: Int { written - copied }

        mutating func step() -> Step? {
            guard !isRunning, !isClosed else { return nil }
            if isAlmostDone {
                isAlmostDone = false
                return .finish
            }
            if waiting >= LogCheckpointer.pagesBetween {
                isRunning = true
                return .begin
            }
            return nil
        }

        /// Returns whether to wait for a pause: once until the wait ends, if there is enough to copy.
        mutating func startsWaiting() -> Bool {
            guard !isRunning, !isClosed, !isWaiting, waiting >= LogCheckpointer.fewPages else { return false }
            isWaiting = true
            return true
        }
    }
    private enum Step {
        case begin, finish
    }
    private let path: String
    private let clock: any TimeSource
    /// Makes readers release their snapshots, which would keep the log from being reused.
    private let rest: @Sendable () -> Void
    private let state = Lock(State())

    /// Creates a checkpointer of the database at `path`, whose writer makes no checkpoints.
    ///
    /// `rest` is called before each copy and after the last one. The `clock` is the machine's, not the store's, because
    /// pauses are those of a disk.
    init(_ path: String, clock: any TimeSource, rest: @escaping @Sendable () -> Void = {}) {
        self.path = path
        self.clock = clock
        self.rest = rest
    }

    /// Copies pages or starts a checkpoint if there is enough to copy; called on the writer's thread after a
    /// transaction.
    func didWrite(_ db: Database) {
        let pages = db.pagesWritten
        let step = state.withLock { state in
            state.pages.note(pages)
            return state.step()
        }
        switch step {
        case nil: waitForPause()
        case .finish: _ = copy(db)
        case .begin: begin(otherwise: db)
        }
    }

    /// Waits for a running checkpoint and prevents further ones.
    func close() {
        let connection = state.withLock { state in
            state.isClosed = true
            defer { state.connection = nil }
            return state.connection
        }
        // An error is ignored: the writer's connection meets it again when it is closed.
        _ = Result { try connection?.close() }
    }

    private func begin(otherwise db: Database) {
        do {
            try openIfNeeded().asyncWriteWithoutTransaction { db in self.run(db) }
        } catch {
            _ = copy(db)
            state.withLock { $0.isRunning = false }
        }
    }

    private func openIfNeeded() throws -> DatabaseQueue {
        if let connection = state.withLock({ $0.connection }) { return connection }
        var configuration = Configuration()
        configuration.label = "checkpoint"
        let connection = try DatabaseQueue(path: path, configuration: configuration)
        state.withLock { if !$0.isClosed { $0.connection = connection } }
        return connection
    }

    /// Copies until little is left, or until a round leaves half or more: others may write as fast, or hold snapshots.
    private func run(_ db: Database) {
        let before = state.withLock { $0.copied }
        var last: (pages: Int, left: Int)?
        while let now = copy(db, after: rest) {
            let isLess = last.map { now.left < $0.left / 2 } ?? true
            last = now
            if now.left <= Self.fewPages || !isLess { break }
        }
        let isFurther = state.withLock { state in
            state.isRunning = false
            state.isAlmostDone = last.map { $0.left > 0 && $0.pages >= Self.maximumPages } ?? false
            return state.copied > before
        }
        rest()
        // Otherwise another attempt would fail like this one, until something is written again.
        if isFurther { waitForPause() }
    }

    /// Copies what the log holds after `prepare`; returns the number of pages that it has by then, and of those that are left,
    /// `nil` if it cannot be done now.
    private func copy(_ db: Database, after prepare: () -> Void = {}) -> (pages: Int, left: Int)? {
        let before = state.withLock { $0.written }
        prepare()
        guard let log = db.checkpointLog() else { return nil }
        return state.withLock { state in
            state.copied = max(state.copied, before - log.left)
            let written = state.written - before
            return (log.pages + written, log.left + written)
        }
    }
}

// MARK: - Pauses

extension LogCheckpointer {
    /// Starts a checkpoint after a pause in writing.
    private func waitForPause() {
        let wait = state.withLock { $0.startsWaiting() ? (written: $0.written, open: $0.connection) : nil }
        guard let (written, open) = wait else { return }
        do {
            // Opened on the writer's thread, before `close()`; a timer's thread must not wait for a file.
            let connection = try open ?? openIfNeeded()
            _ = clock.schedule(after: Self.pause) { [weak self, weak connection] in
                guard let connection else { return }
                self?.endPause(written, connection)
            }
        } catch {
            // The next write tries again.
            state.withLock { $0.isWaiting = false }
        }
    }

    private func endPause(_ before: Int, _ connection: DatabaseQueue) {
        let isPause = state.withLock { state in
            state.isWaiting = false
            guard state.written == before, !state.isRunning, !state.isClosed else { return false }
            state.isRunning = true
            return true
        }
        guard isPause else { return waitForPause() }
        connection.asyncWriteWithoutTransaction { db in self.run(db) }
    }
}

extension Database {
    /// The number of pages that this connection has written to the log.
    var pagesWritten: Int32 {
        var pages: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 0)
        return pages
    }

    /// Copies the pages of the log that readers no longer need; returns the number of pages that the log had and of
    /// those that are left, `nil` if that is impossible now.
    ///
    /// Pages written meanwhile are not counted.
    fileprivate func checkpointLog() -> (pages: Int, left: Int)? {
        var all: Int32 = 0
        var copied: Int32 = 0
        // There is no connection once it is closed.
        guard let connection = sqliteConnection,
            sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, &all, &copied) == SQLITE_OK
        else { return nil }
        return (Int(all), Int(all - copied))
    }
}
