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
        /// Whether a call of `rest()` is scheduled.
        var isTimed = false
        var isClosed = false
        /// The steps of the closed readers.
        var spentSteps = 0

        /// Returns whether to start the timer; true only for the first caller until it fires.
        mutating func startsTimer() -> Bool {
            defer { isTimed = true }
            return !isTimed
        }
    }
    /// The number of readers that stay open while idle.
    private static let mostIdle = 4
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
        // Read before the reader reads the database, whose state is then no older.
        let generation = generation.value
        let reader = try state.withLock { $0.idle.popLast() } ?? RowReader(path)
        defer { giveBack(reader) }
        return try reader.content(row: row, of: key, isInvalidated: isInvalidated, generation)
    }

    /// The steps of SQLite's virtual machine taken by all completed reads.
    var steps: Int { state.withLock { state in state.idle.reduce(state.spentSteps) { $0 + $1.steps } } }

    /// Ends the read transactions of all idle readers.
    func rest() {
        for _ in 0..<state.withLock({ $0.idle.count }) {
            guard let reader = state.withLock({ $0.idle.isEmpty ? nil : $0.idle.removeFirst() }) else {
                return
            }
            reader.rest()
            _ = keep(reader)
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

    private func giveBack(_ reader: RowReader) {
        guard keep(reader), state.withLock({ $0.startsTimer() }) else { return }
        _ = clock.schedule(after: Self.longestView) { [weak self] in self?.restInTime() }
    }

    /// Adds a reader to the idle ones; false if it is not needed any more.
    private func keep(_ reader: RowReader) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.idle.count < Self.mostIdle else {
                state.spentSteps += reader.steps
                return false
            }
            state.idle.append(reader)
            return true
        }
    }

    private func restInTime() {
        state.withLock { $0.isTimed = false }
        rest()
    }
}
