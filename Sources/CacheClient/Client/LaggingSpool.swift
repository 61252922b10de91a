import CacheStorage
import Locks

/// A spool to which pieces are handed on late, so that those that a slow reader has not taken are not there twice.
///
/// For one writer at a time.
final class LaggingSpool: Sendable {
    private struct State {
        var pieces: [[UInt8]] = []
        var lag = 0
    }
    /// Bytes that are held back at most: more than waits for a reader that takes nothing.
    private static let limit = 1 << 20
    private let spool: BodySpool
    private let state = Locked(State())

    init(_ spool: BodySpool) { self.spool = spool }

    /// Bytes appended so far.
    var count: Int { spool.count + state.withLock { $0.lag } }

    /// Appends a piece; throws what the spool throws.
    func append(_ piece: [UInt8]) throws(StorageError) {
        let isFull = state.withLock { state in
            state.pieces.append(piece)
            state.lag += piece.count
            return state.lag >= Self.limit
        }
        if isFull { try catchUp() }
    }

    /// Returns the content; the spool takes no more.
    func finish() throws(StorageError) -> StoredBody {
        try catchUp()
        return try spool.finish()
    }

    /// Removes what was appended.
    func discard() {
        state.withLock { $0 = State() }
        spool.discard()
    }

    private func catchUp() throws(StorageError) {
        let pieces = state.withLock { state in
            defer { state = State() }
            return state.pieces
        }
        for piece in pieces { try spool.append(piece) }
    }
}
