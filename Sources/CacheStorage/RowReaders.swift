import Locks

/// The connections that read rows of content: as many as threads read at once, so that none waits for another.
///
/// The first is opened by the first read.
final class RowReaders: Sendable {
    private struct State {
        var idle: [RowReader] = []
        var isClosed = false
    }
    /// How many stay open when nobody reads.
    private static let mostIdle = 4

    private let path: String
    private let state = Lock(State())

    /// Creates readers of the database at `path`.
    init(_ path: String) {
        self.path = path
    }

    /// Reads a row; `nil` when it is gone.
    func content(row: Int64, isInvalidated: Bool) throws -> ContentRow? {
        let reader = try state.withLock { $0.idle.popLast() } ?? RowReader(path)
        defer { giveBack(reader) }
        return try reader.content(row: row, isInvalidated: isInvalidated)
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
        state.withLock { state in
            if !state.isClosed, state.idle.count < Self.mostIdle { state.idle.append(reader) }
        }
    }
}
