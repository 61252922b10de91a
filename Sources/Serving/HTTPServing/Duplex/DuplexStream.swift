import Cepoll
import CLibrary
import Locks
import Synchronization

/// A connection as two streams of bytes, for tasks of one loop; one task may read while another writes.
///
/// Everything but `interrupt()` is called on the loop's thread. Its asynchronous functions stay on the caller's executor,
/// because a task would otherwise look up its preferred one at every call.
package final class DuplexStream: Sendable {
    /// The result of reading.
    package enum Received: Sendable, Equatable {
        case bytes([UInt8])
        /// The peer has ended its direction.
        case end
        /// The connection was reset or closed.
        case failed
    }
    private struct State {
        var isOpen = true
        /// Whether reading or writing may succeed: events are reported once, when that changes.
        var isReadable = true
        var isWritable = true
        /// Whether the peer has ended or reset; reading never waits again.
        var hasHungUp = false
        var reader: UnsafeContinuation<Void, Never>?
        var writer: UnsafeContinuation<Void, Never>?
        var onHangUp: (@Sendable () -> Void)?
        var onReadable: (@Sendable () -> Void)?
        var onClose: (@Sendable () -> Void)?
        /// Whether the connection stays open when its handler has returned.
        var isTakenOver = false
        /// TLS after its handshake; used on the loop's thread only, outside the lock.
        var session: TLSSession?

        /// Notes what is possible now, and returns what has waited for that.
        mutating func waiters(canRead: Bool, canWrite: Bool) -> Waiters {
            var waiters = Waiters()
            if canRead {
                isReadable = true
                swap(&waiters.reader, &reader)
                swap(&waiters.onReadable, &onReadable)
            }
            if canWrite {
                isWritable = true
                swap(&waiters.writer, &writer)
            }
            if hasHungUp { swap(&waiters.onHangUp, &onHangUp) }
            return waiters
        }
    }
    /// The waiters for an event; a struct, because each function in a tuple would be wrapped in another closure.
    private struct Waiters {
        var reader: UnsafeContinuation<Void, Never>?
        var writer: UnsafeContinuation<Void, Never>?
        var onReadable: (@Sendable () -> Void)?
        var onHangUp: (@Sendable () -> Void)?
    }
    let socket: CInt
    let number: UInt64
    package let loop: DuplexLoop
    private let state = Locked(State())
    private static let numbers = Atomic<UInt64>(0)

    /// Takes over a prepared socket; `nil`, with the socket closed, if the system cannot watch it.
    init?(_ socket: CInt, on loop: DuplexLoop) {
        self.socket = socket
        self.loop = loop
        number = Self.numbers.add(1, ordering: .relaxed).newValue
        guard loop.add(self) else {
            close()
            return nil
        }
    }

    // MARK: Reading and writing

    /// Reads what has been received, at most `capacity` bytes; waits for the first.
    package nonisolated(nonsending) func read(_ capacity: Int) async -> Received {
        while true {
            if let received = readNow(capacity) { return received }
            await waitForInput()
        }
    }

    /// Reads like `read(_:)` without waiting; `nil` if nothing has been received.
    package func readNow(_ capacity: Int) -> Received? {
        while true {
            let (isOpen, isReadable, session) = takeReadable()
            guard isOpen else { return .failed }
            guard isReadable else { return nil }
            switch session?.received() ?? Socket.receive(socket, capacity: capacity) {
            case .nothing: continue
            case .bytes(let bytes):
                // Of TLS, one record is received at a time.
                if session != nil || bytes.count == capacity { state.withLock { $0.isReadable = true } }
                return .bytes(bytes)
            case .end:
                hangUp()
                return .end
            case .failed: return .failed
            }
        }
    }

    /// Calls `action` once, on the loop's thread, when `readNow(_:)` may have a result.
    ///
    /// Nothing else may read meanwhile.
    package func whenReadable(_ action: @escaping @Sendable () -> Void) {
        let waits = state.withLock { state in
            guard state.isOpen, !state.isReadable, !state.hasHungUp else { return false }
            state.onReadable = action
            return true
        }
        if !waits { action() }
    }

    /// Writes bytes; waits while the peer is slow to take them.
    ///
    /// Returns false once the connection is lost.
    package nonisolated(nonsending) func write(_ bytes: ArraySlice<UInt8>) async -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let (isOpen, session) = state.withLock { ($0.isOpen, $0.session) }
            guard isOpen else { return false }
            switch session?.sent(rest) ?? Socket.send(socket, rest) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .full: await waitForRoom()
            case .failed: return false
            }
        }
        return true
    }

    /// Bytes that were written and that the peer has not acknowledged.
    package var unacknowledged: Int {
        state.withLock { state in
            var count: CInt = 0
            guard state.isOpen, ioctl(socket, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
            return Int(count)
        }
    }

    /// Calls `action` once when the peer ends its direction or resets the connection, even if nothing is read.
    package func onHangUp(_ action: @escaping @Sendable () -> Void) {
        let hasHungUp = state.withLock { state in
            if !state.hasHungUp { state.onHangUp = action }
            return state.hasHungUp
        }
        if hasHungUp { action() }
    }

    /// Whether the peer has ended its direction or reset.
    package var hasHungUp: Bool { state.withLock { $0.hasHungUp } }

    // MARK: Ending

    /// Leaves the connection open when its handler has returned, so that it has to be closed by `close()` or `reset()`.
    package func takeOver() { state.withLock { $0.isTakenOver = true } }

    /// Whether `takeOver()` was called.
    var isTakenOver: Bool { state.withLock { $0.isTakenOver } }

    /// Calls `action` once when the connection is closed or reset by this side.
    func onClose(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onClose = action } }

    /// Ends the sending direction, with TLS after the alert that announces it.
    package nonisolated(nonsending) func endWriting() async {
        if let session { await sayEnd(session) }
        state.withLock { state in
            if state.isOpen { shutdown(socket, CInt(SHUT_WR)) }
        }
    }

    /// Makes every later call, and those that wait, fail or return the end; for any thread.
    package func interrupt() {
        state.withLock { state in
            if state.isOpen { shutdown(socket, CInt(SHUT_RDWR)) }
        }
    }

    /// Closes the connection, without an alert of TLS; may be repeated.
    package func close() {
        end { socket in
            Socket.discardUnread(socket)
            Socket.closeQuietly(socket)
        }
    }

    /// Resets the connection, unless it was closed before; bytes that are not acknowledged are lost.
    package func reset() { end { Socket.reset($0) } }

    private func end(_ action: (CInt) -> Void) {
        let old = state.withLock { state in
            let old = state
            state = State()
            (state.isOpen, state.hasHungUp, state.isTakenOver) = (false, old.hasHungUp, old.isTakenOver)
            return old
        }
        guard old.isOpen else { return }
        loop.remove(self)
        action(socket)
        old.reader?.resume()
        old.writer?.resume()
        old.onReadable?()
        old.onClose?()
    }

    // MARK: Events

    func handle(_ events: UInt32) {
        let hasHungUp = events & (EPOLLHUP.rawValue | EPOLLERR.rawValue | EPOLLRDHUP.rawValue) != 0
        let waiters = state.withLock { state in
            if hasHungUp { state.hasHungUp = true }
            return state.waiters(
                canRead: hasHungUp || events & EPOLLIN.rawValue != 0,
                canWrite: hasHungUp || events & EPOLLOUT.rawValue != 0
            )
        }
        waiters.reader?.resume()
        waiters.onReadable?()
        waiters.writer?.resume()
        waiters.onHangUp?()
    }

    /// Notes that the peer sends nothing more, which without TLS is an event of the socket.
    private func hangUp() {
        let action = state.withLock { state in
            state.hasHungUp = true
            return state.onHangUp.take()
        }
        action?()
    }

    /// Whether neither `close()` nor `reset()` was called.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    private var session: TLSSession? { state.withLock { $0.session } }

    func use(_ session: TLSSession) { state.withLock { ($0.session, $0.isReadable) = (session, true) } }

    /// Waits for bytes, or the end, that were not reported before.
    nonisolated(nonsending) func waitForNews() async {
        if !takeReadable().isReadable { await waitForInput() }
    }

    /// Returns whether reading may succeed, which is not reported again, and what it needs.
    private func takeReadable() -> (isOpen: Bool, isReadable: Bool, session: TLSSession?) {
        state.withLock { state in
            defer { state.isReadable = state.hasHungUp }
            return (state.isOpen, state.isReadable || state.hasHungUp, state.session)
        }
    }

    private nonisolated(nonsending) func waitForInput() async {
        await withUnsafeContinuation { continuation in
            let waits = state.withLock { state in
                guard state.isOpen, !state.isReadable, !state.hasHungUp else { return false }
                state.reader = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    nonisolated(nonsending) func waitForRoom() async {
        await withUnsafeContinuation { continuation in
            let waits = state.withLock { state in
                guard state.isOpen, !state.isWritable else {
                    state.isWritable = false
                    return false
                }
                state.writer = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
    }
}
