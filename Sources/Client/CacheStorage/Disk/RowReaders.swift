import CacheSemantics
import Clocks
import Locks

/// The connections that read rows of content: one for each concurrent read, so that none waits for another.
///
/// The first read opens the first connection. A reader keeps its read transaction open while the folder's generation
/// stays the same, so that the next read needs no file locks; but for at most a second, because the log cannot be
/// reused from its start meanwhile.
final class RowReaders: Sendable {
    private struct State {
        var idle: [RowReader] = []
        /// The number of times that all readers had to release their snapshots.
        var rests = 0
        /// Whether the timer that makes them do so is running.
        var isTimed = false
        var isClosed = false
        /// The steps of the closed readers.
        var spentSteps = 0

        /// Returns a reader to the pool, without its snapshot if a `rest` has happened since it was taken; returns false if it
        /// is to be closed.
        mutating func keep(_ reader: RowReader, since rests: Int) -> Bool {
            guard !isClosed, idle.count < RowReaders.maximumIdle else {
                spentSteps += reader.steps
                return false
            }
            if rests != self.rests { reader.rest() }
            idle.append(reader)
            return true
        }

        /// Returns whether to start the timer; true only for the first caller until it fires.
        mutating func startsTimer() -> Bool {
            defer { isTimed = true }
            return !isTimed
        }
    }
    /// The number of readers that stay open while idle.
    private static let maximumIdle = 4
    private static let longestView = Duration.seconds(1)

    private let path: String
    private let generation: GenerationFile
    private let state = Lock(State())
    /// The machine's clock, because it limits how long a file stays locked.
    private let clock: any TimeSource

    /// Creates readers of the database at `path`, in a folder with this generation.
    init(_ path: String, _ generation: GenerationFile, clock: any TimeSource) {
        self.path = path
        self.clock = clock
        self.generation = generation
    }

    /// Reads a row, which is expected to belong to `key`; returns `nil` if it is gone.
    func content(row: Int64, of key: CacheKey, isInvalidated: Bool) throws -> ContentRow? {
        try read { reader, generation in
            try reader.content(row: row, of: key, isInvalidated: isInvalidated, generation)
        }
    }

    /// Calls `body` with a reader that no other thread has, and the generation that it may show.
    func read<Result>(_ body: (RowReader, UInt64) throws -> Result) throws -> Result {
        // Read before the reader reads the database, whose state is then no older.
        let generation = generation.value
        let (idle, rests) = state.withLock { ($0.idle.popLast(), $0.rests) }
        let reader = try idle ?? RowReader(path)
        defer { recycle(reader, since: rests) }
        return try body(reader, generation)
    }

    /// The steps of SQLite's virtual machine taken by all completed reads.
    var steps: Int { state.withLock { state in state.idle.reduce(state.spentSteps) { $0 + $1.steps } } }

    /// Makes all readers release their snapshots: those that read at this time when they have read.
    func rest() {
        state.withLock { state in
            state.rests += 1
            for reader in state.idle { reader.rest() }
        }
    }

    /// Closes idle readers now, and the others when their reads end.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        // Closed here, outside of the lock, with the last reference.
        withExtendedLifetime(idle) {}
    }

    private func recycle(_ reader: RowReader, since rests: Int) {
        let startsTimer = state.withLock { $0.keep(reader, since: rests) && $0.startsTimer() }
        guard startsTimer else { return }
        _ = clock.schedule(after: Self.longestView) { [weak self] in self?.restInTime() }
    }

    private func restInTime() {
        state.withLock { $0.isTimed = false }
        rest()
    }
}
