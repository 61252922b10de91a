import CacheStorage
import Clocks
import Locks

/// A spool that reports when it holds much content in memory that has stalled.
///
/// It supports one writer at a time.
final class BoundedSpool: TimerTarget, Sendable {
    private struct State {
        var lastAppend: Duration = .zero
        var timer: PendingTimer?
        var onStall: (@Sendable () -> Void)?
        var isFinished = false
        /// The bytes in memory beyond the allowance.
        var excess = HeldBytes.Share()
    }
    /// Bytes that may be in memory regardless of how slow the content is.
    private static let allowance = 256 << 10
    /// The time for which more than that may be held without anything being appended.
    private static let stallTimeout = Duration.seconds(2)
    private let spool: BodySpool
    private let clock: any TimeSource
    private let held: HeldBytes
    private let state = Locked(State())

    init(_ spool: BodySpool, clock: any TimeSource, held: HeldBytes) {
        self.spool = spool
        self.clock = clock
        self.held = held
    }

    deinit { end() }

    /// Bytes appended so far.
    var count: Int { spool.count }

    /// Returns whether there is room for `count` more bytes: in content of at most `largest`, and in memory for two of
    /// that size.
    func hasRoom(for count: Int, largest: Int) -> Bool {
        guard spool.count + count <= largest else { return false }
        guard spool.isHeldWhole else { return true }
        let (all, own) = (held.count, state.withLock { $0.excess.count })
        return all <= 2 * largest || all == own
    }

    /// Sets what is called when nothing has been appended for a while, repeatedly until the content continues.
    func onStall(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onStall = action } }

    /// Appends a piece; throws what the spool throws.
    func append(_ piece: [UInt8]) throws(StorageError) {
        try spool.append(piece)
        guard spool.isHeldWhole, spool.heldCount > Self.allowance else { return }
        let now = clock.elapsed
        let excess = spool.heldCount - Self.allowance
        let isFirst = state.withLock { state in
            guard !state.isFinished else { return false }
            state.lastAppend = now
            state.excess.change(to: excess, of: held)
            return state.timer == nil
        }
        if isFirst { arrange(now + Self.stallTimeout) }
    }

    /// Returns the content; the spool accepts no more bytes.
    func finish() throws(StorageError) -> StoredBody {
        end()
        return try spool.finish()
    }

    /// Removes the appended content.
    func discard() {
        end()
        spool.discard()
    }

    func timerFired() {
        let now = clock.elapsed
        let (due, onStall, isFinished) = state.withLock {
            ($0.lastAppend + Self.stallTimeout, $0.onStall, $0.isFinished)
        }
        guard !isFinished else { return }
        if due <= now { onStall?() }
        arrange(due <= now ? now + Self.stallTimeout : due)
    }

    private func arrange(_ deadline: Duration) {
        let timer = clock.schedule(self, at: deadline)
        let isFinished = state.withLock { state in
            if !state.isFinished { state.timer = timer }
            return state.isFinished
        }
        if isFinished { clock.cancel(timer) }
    }

    private func end() {
        let timer = state.withLock { state in
            state.isFinished = true
            state.onStall = nil
            state.excess.change(to: 0, of: held)
            defer { state.timer = nil }
            return state.timer
        }
        if let timer { clock.cancel(timer) }
    }
}
