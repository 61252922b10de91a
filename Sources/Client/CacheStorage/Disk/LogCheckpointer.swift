import Clocks
import GRDB
import GRDBSQLite
import Locks

/// Copies what SQLite's log holds into the database, on a thread and a connection of its own.
///
/// SQLite itself does it within the commit that fills the log. That commit, and all who wait for it, then wait for the
/// disk: half a second among a million entries. Here only the last few pages, which other commits have written
/// meanwhile, are copied on the writer's thread, and only once the log is long, so that it can begin anew.
///
/// A page in the log is read more slowly than one in the database. So the log is also copied once writing pauses.
final class LogCheckpointer: Sendable {
    /// How many pages are written before a checkpoint begins, although writing goes on.
    private static let pagesBetween = 1000
    /// How few may be left in the log.
    private static let fewPages = 64
    /// How many the log may have before the writer's thread copies what is left.
    private static let mostPages = 4000
    /// How long nothing is written before a checkpoint begins.
    static let pause = Duration.milliseconds(20)

    private struct State {
        /// Opened by the first checkpoint.
        var connection: DatabaseQueue?
        var isRunning = false
        var isClosed = false
        /// Whether the end of the pause is being waited for.
        var isWaiting = false
        /// Whether the writer's thread is to copy the rest.
        var isAlmostDone = false
        /// How many pages the writer has written.
        var pages = PageCount()
        /// How many of them it had written when they were last copied.
        var copied = 0

        var written: Int { pages.total }
        /// How many pages the writer has written since they were last copied.
        var waiting: Int { written - copied }

        mutating func step() -> Step? {
            guard !isRunning, !isClosed else { return nil }
            if isAlmostDone {
                isAlmostDone = false
                copied = written
                return .finish
            }
            if waiting >= LogCheckpointer.pagesBetween {
                isRunning = true
                return .begin
            }
            return nil
        }

        /// True for the first that asks until the pause is over, where there is enough to copy.
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
    /// Has readers let go of what they hold in view.
    private let rest: @Sendable () -> Void
    private let state = Lock(State())

    /// Creates a checkpointer of the database at `path`, whose writer makes no checkpoints.
    ///
    /// `rest` is called before each copying, and after the last, since then readers need the log no longer. The `clock` is
    /// the machine's, as what waits for it is a disk.
    init(_ path: String, clock: any TimeSource = SystemClock(), rest: @escaping @Sendable () -> Void = {}) {
        self.path = path
        self.clock = clock
        self.rest = rest
    }

    /// Checkpoints where there is enough to copy; for the writer's thread, after a transaction.
    func didWrite(_ db: Database) {
        let pages = db.pagesWritten
        let step = state.withLock { state in
            state.pages.note(pages)
            return state.step()
        }
        switch step {
        case nil: waitForPause()
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
            try openIfNeeded().asyncWriteWithoutTransaction { db in self.run(db) }
        } catch {
            _ = db.checkpointLog()
            state.withLock { state in
                state.copied = state.written
                state.isRunning = false
            }
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

    /// Copies until little is left, as long as that becomes less: others may write as fast, or hold on to what they see.
    private func run(_ db: Database) {
        var last: (pages: Int, left: Int)?
        while let now = copy(db) {
            let isLess = last.map { now.left < $0.left / 2 } ?? true
            last = now
            if now.left <= Self.fewPages || !isLess { break }
        }
        state.withLock { state in
            state.isRunning = false
            state.isAlmostDone = last.map { $0.left > 0 && $0.pages >= Self.mostPages } ?? false
        }
        rest()
        waitForPause()
    }

    /// Copies what the log holds now; returns how many pages it has by then and how many of them are left.
    private func copy(_ db: Database) -> (pages: Int, left: Int)? {
        let before = state.withLock { state in
            state.copied = state.written
            return state.written
        }
        rest()
        guard let log = db.checkpointLog() else { return nil }
        let written = state.withLock { $0.written } - before
        return (log.pages + written, log.left + written)
    }
}

/// The total of a counter of SQLite, which has 31 bits and then begins at zero again.
struct PageCount {
    private(set) var total = 0
    private var last: Int32 = 0

    /// Adds what has been counted since the last call.
    mutating func note(_ count: Int32) {
        total += Int((count &- last) & Int32.max)
        last = count
    }
}

// MARK: - Pauses

extension LogCheckpointer {
    /// Has a checkpoint begin once nothing is written any more.
    private func waitForPause() {
        let written = state.withLock { $0.startsWaiting() ? $0.written : nil }
        guard let written else { return }
        do {
            // Here, since who waits for the clock must not wait for a file.
            let connection = try openIfNeeded()
            _ = clock.schedule(after: Self.pause) { [weak self, weak connection] in
                guard let connection else { return }
                self?.endPause(written, connection)
            }
        } catch {
            // The next one to be written tries again.
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
    /// How many pages this connection has written to the log.
    fileprivate var pagesWritten: Int32 {
        var pages: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 0)
        return pages
    }

    /// Copies what nobody needs in the log any more; returns how many pages the log had and how many of them are left,
    /// `nil` where it cannot be done now.
    ///
    /// What is written meanwhile is not among them.
    fileprivate func checkpointLog() -> (pages: Int, left: Int)? {
        var all: Int32 = 0
        var copied: Int32 = 0
        // Without a connection once it is closed.
        guard let connection = sqliteConnection,
            sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, &all, &copied) == SQLITE_OK,
            all >= 0
        else { return nil }
        return (Int(all), Int(all - copied))
    }
}
