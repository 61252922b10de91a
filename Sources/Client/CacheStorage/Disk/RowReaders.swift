import CacheSemantics
import Clocks
import Locks

/// The connections that read rows of content: as many as threads read at once, so that none waits for another.
///
/// The first is opened by the first read. What one has seen it holds in view while the folder's generation stays, which
/// spares the next read the locks of the file; but for a second at most, since the log cannot begin anew meanwhile.
final class RowReaders: Sendable {
    private struct State {
        var idle: [RowReader] = []
        /// Whether somebody is going to let all of them rest.
        var isTimed = false
        var isClosed = false
        /// The steps of those that were closed.
        var spentSteps = 0

        /// True for the first that asks until the time is over.
        mutating func startsTimer() -> Bool {
            defer { isTimed = true }
            return !isTimed
        }
    }
    /// How many stay open when nobody reads.
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

    /// Reads a row, which is expected to be one of `key`; `nil` when it is gone.
    func content(row: Int64, of key: CacheKey, isInvalidated: Bool) throws -> ContentRow? {
        // Before the reader looks at the database, so that what it sees is no older.
        let generation = generation.value
        let reader = try state.withLock { $0.idle.popLast() } ?? RowReader(path)
        defer { giveBack(reader) }
        return try reader.content(row: row, of: key, isInvalidated: isInvalidated, generation)
    }

    /// Steps of SQLite's machine that the reads which have ended took.
    var steps: Int { state.withLock { state in state.idle.reduce(state.spentSteps) { $0 + $1.steps } } }

    /// Lets all that nobody uses at this moment go of what they hold in view.
    func rest() {
        for _ in 0..<state.withLock({ $0.idle.count }) {
            guard let reader = state.withLock({ $0.idle.isEmpty ? nil : $0.idle.removeFirst() }) else {
                return
            }
            reader.rest()
            _ = keep(reader)
        }
    }

    /// Closes what is idle now, and the others when their reads end.
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

    /// False where it is not needed any more.
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
