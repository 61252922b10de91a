import CLibrary
import Clocks
import Locks

/// Writes a raw reply to the socket step by step, without a dedicated thread.
///
/// The event that makes the next step possible (timer, release, socket event) performs it on its thread. Only the
/// thread that moves the exchange out of `waiting` or `blocked` continues, so steps never overlap.
public final class RawExchange: Sendable {
    private enum Mode: Equatable {
        case running
        case waiting(number: Int)
        case blocked
        case draining
        case ended
    }
    private struct State {
        var mode = Mode.running
        var isParked = false
        var isStopRequested = false
        /// Whether it waits as its reply's steps `wait` and `hold` ask for.
        var isScriptedWait = false
        /// Whether it ends at the next such step.
        var endsAtWait = false
        var isAbandoned = false
        var rest: RawReply.Rest
        var step = 0
        var offset = 0
        var bytesSent = 0
        var sleeper: Sleeper?
        /// The number of waits so far, which distinguishes their wake-ups.
        var waits = 0
        /// When the request arrived, or the end of the waits since then; `nil` after any other step.
        var waitsSince: Duration?

        /// Lets the caller continue the exchange; false if it has ended or is in another mode.
        mutating func leave(_ except: [Mode]) -> Bool {
            guard mode != .ended, !except.contains(mode) else { return false }
            mode = .running
            isParked = false
            return true
        }
    }
    let number: UInt64
    private let reply: RawReply
    private let socket: CInt
    private let connection: ServerConnection
    private let server: ServerCore
    private let state: Lock<State>

    init(
        number: UInt64,
        reply: RawReply,
        socket: CInt,
        connection: ServerConnection,
        server: ServerCore
    ) {
        self.number = number
        self.reply = reply
        self.socket = socket
        self.connection = connection
        self.server = server
        let rest = RawReply.Rest(reply.steps, ending: reply.ending)
        state = Lock(State(rest: rest, waitsSince: reply.arrivedAt))
    }

    /// Whether the exchange waits on its clock or a hold, with all earlier bytes written to the socket.
    public var isParked: Bool {
        state.withLock { $0.isParked } && connection.tunnel?.isDelivered ?? true
    }

    /// Port of the client.
    package var peerPort: UInt16 { connection.peer.port }

    func begin() {
        reply.observer?.exchangeBegan(self)
        run()
    }

    /// Stops the exchange and closes its connection; without effect once it has ended.
    public func stop() {
        let mine = state.withLock { state in
            state.isStopRequested = true
            return state.leave([.running])
        }
        if mine { end(.stopped) }
    }

    /// Stops the exchange at a `wait` or `hold` of its reply: immediately if it waits there, otherwise when it reaches
    /// one; not at a `pause`.
    package func stopWaiting() {
        let isMine = state.withLock { state in
            state.endsAtWait = true
            return state.isParked && state.isScriptedWait && state.leave([.running])
        }
        if isMine { end(.stopped) }
    }

    /// Ends the exchange if its client disconnected while it was waiting.
    public func detectDisconnect() {
        guard state.withLock({ $0.isParked }), Socket.isClosedByPeer(socket) else { return }
        let isMine = state.withLock { state in
            guard state.leave([.running, .draining]) else { return false }
            state.isAbandoned = true
            return true
        }
        if isMine { end(.aborted) }
    }

    /// Whether its client was seen to disconnect before the end, even if the observer has not been called yet.
    public var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// The number of bytes written so far.
    public var bytesSent: Int { state.withLock { $0.bytesSent } }

    func socketEvent(isHangUp: Bool) {
        let mode = state.withLock { state in
            let before = state.mode
            guard state.leave([.running]) else { return Mode.ended }
            if case .waiting = before { state.isAbandoned = true }
            if before == .blocked, isHangUp { state.isAbandoned = true }
            return before
        }
        switch mode {
        case .draining: keepDraining(isHangUp: isHangUp)
        case .blocked where !isHangUp: run()
        case .blocked, .waiting: end(.aborted)
        case .running, .ended: break
        }
    }

    private func run() {
        while let step = nextStep() {
            switch step {
            case .write(let bytes):
                guard write(bytes) else { return }
            case .produce(let producer):
                guard produce(producer) else { return }
            case .wait(let time):
                guard wait(time) else { return }
            case .hold(let hold):
                guard park(isScripted: true, hold.wait) else { return }
            case .pause(let length):
                guard pause(length()) else { return }
            case .input(let count):
                guard awaitInput(count) else { return }
            case .hello(let point):
                guard awaitHello(point) else { return }
            case .expectTLS(let isExpected, let skipped):
                // RFC 8446 §5.1: a hello comes in a record of type 22.
                let isTLS = Socket.firstByte(socket) == 22
                if isTLS != isExpected { state.withLock { $0.step += skipped } }
            case .end(let ending):
                state.withLock { ($0.rest, $0.step) = (RawReply.Rest([], ending: ending), 0) }
            case .decide(let decide):
                let rest = decide()
                state.withLock { ($0.rest, $0.step) = (rest, 0) }
            }
        }
        finish()
    }

    /// Waits until a duration has passed since the arrival of the request, or since the previous step; returns false if
    /// another thread will continue.
    private func wait(_ time: Duration) -> Bool {
        let clock = reply.clock
        let deadline = state.withLock { state in
            let deadline = (state.waitsSince ?? clock.elapsed) + time
            state.waitsSince = deadline
            return deadline
        }
        return park(isScripted: true) { wake in clock.schedule(at: deadline, wake) }
    }

    /// Waits for a duration, or forever; returns true if there is nothing to wait for.
    private func pause(_ length: Duration?) -> Bool {
        guard let length else { return park { _ in Sleeper(onCancel: {}) } }
        return length <= .zero || park { wake in reply.clock.schedule(after: length, wake) }
    }

    /// Waits until a number of bytes can be read; returns false if another thread will continue.
    private func awaitInput(_ count: Int) -> Bool {
        if Socket.unreadCount(socket) >= count {
            Socket.setLowWater(socket, 1)
            return true
        }
        Socket.setLowWater(socket, count)
        state.withLock { state in
            state.step -= 1
            state.mode = .blocked
        }
        server.watcher.watch(self, socket: socket, for: .input)
        return false
    }

    /// Waits for a part of the client's hello; returns false if another thread will continue.
    private func awaitHello(_ point: RawReply.HelloPoint) -> Bool {
        // The first five bytes of the record contain its length.
        guard let size = Socket.helloSize(socket) else { return awaitInput(5) }
        return switch point {
        case .byte(let count): awaitInput(min(max(count, 1), size))
        case .share(let share): awaitInput(min(max(Int(share * Double(size)), 1), size))
        }
    }

    private func nextStep() -> RawReply.Step? {
        state.withLock { state in
            guard !state.isStopRequested, state.step < state.rest.steps.count else { return nil }
            defer { state.step += 1 }
            let step = state.rest.steps[state.step]
            switch step {
            case .wait, .decide: break
            default: state.waitsSince = nil
            }
            return step
        }
    }

    /// Writes one step's bytes; returns false if the caller must not continue.
    private func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes.dropFirst(state.withLock { $0.offset })
        while !rest.isEmpty {
            switch Socket.send(socket, rest) {
            case .bytes(let count):
                note(rest.prefix(count))
                rest = rest.dropFirst(count)
            case .full:
                block(at: bytes.count - rest.count)
                return false
            case .failed:
                return abort()
            }
        }
        state.withLock { $0.offset = 0 }
        return true
    }

    /// Writes one step's content as it is produced; returns false if the caller must not continue.
    private func produce(_ producer: ContentProducer) -> Bool {
        var offset = state.withLock { $0.offset }
        let turn = offset + 16 * ContentProducer.pieceSize
        while offset < producer.count {
            // Limited, because a client that reads as fast as the server writes would block the thread.
            if offset >= turn {
                block(at: offset)
                return false
            }
            let limit = min(offset + ContentProducer.pieceSize, producer.count)
            guard let bytes = producer.bytes(offset..<limit), bytes.count == limit - offset else {
                return abort()
            }
            switch Socket.send(socket, bytes) {
            case .bytes(let count):
                note(bytes.prefix(count))
                offset += count
            case .full:
                block(at: offset)
                return false
            case .failed:
                return abort()
            }
        }
        state.withLock { $0.offset = 0 }
        return true
    }

    private func note(_ written: ArraySlice<UInt8>) {
        state.withLock { $0.bytesSent += written.count }
        reply.onWritten?(written)
    }

    /// Ends the exchange after a failed write, unless it has ended; returns false, as the caller must not continue.
    private func abort() -> Bool {
        if state.withLock({ $0.leave([]) }) { end(.aborted) }
        return false
    }

    /// Continues the same step from a position when the socket is writable.
    private func block(at offset: Int) {
        state.withLock { state in
            state.offset = offset
            state.step -= 1
            state.mode = .blocked
        }
        server.watcher.watch(self, socket: socket, for: .writable)
    }

    /// Waits for the wake-up that `arrange` schedules; returns true if there is nothing to wait for.
    private func park(
        isScripted: Bool = false,
        _ arrange: (@escaping @Sendable () -> Void) -> Sleeper?
    ) -> Bool {
        let number = state.withLock { state in
            state.waits += 1
            state.mode = .waiting(number: state.waits)
            return state.waits
        }
        guard let sleeper = arrange({ self.wake(number) }) else {
            state.withLock { $0.mode = .running }
            return true
        }
        // Reported as parked only after its wake-up is scheduled, because observers may advance the clock at once.
        let isWaiting = state.withLock { state in
            guard state.mode == .waiting(number: number) else { return false }
            state.sleeper = sleeper
            (state.isParked, state.isScriptedWait) = (true, isScripted)
            return true
        }
        guard isWaiting else { return false }
        server.watcher.watch(self, socket: socket, for: .hangUp)
        reportParked()
        // A stop between the last step and here found the exchange running and left it to continue.
        let isStopped = state.withLock { state in
            (state.isStopRequested || isScripted && state.endsAtWait) && state.leave([.running])
        }
        if isStopped { end(.stopped) }
        return false
    }

    private func reportParked() {
        guard let observer = reply.observer else { return }
        guard let tunnel = connection.tunnel else { return observer.exchangeParked() }
        tunnel.onDelivery { observer.exchangeParked() }
    }

    private func wake(_ number: Int) {
        let mine = state.withLock { state in
            guard state.mode == .waiting(number: number) else { return false }
            return state.leave([])
        }
        guard mine else { return }
        if Socket.isClosedByPeer(socket) { end(.aborted) } else { run() }
    }

    private func finish() {
        if state.withLock({ $0.isStopRequested }) { return end(.stopped) }
        guard ending == .drainAndClose else { return end(.complete) }
        shutdown(socket, CInt(SHUT_WR))
        keepDraining(isHangUp: false)
    }

    /// Reads for a while before closing: closing with unread bytes resets the connection and may destroy the response.
    private func keepDraining(isHangUp: Bool) {
        if isHangUp || !Socket.drain(socket) { return end(.complete) }
        let isFirst = state.withLock { state in
            state.mode = .draining
            defer { state.sleeper = state.sleeper ?? Sleeper(onCancel: {}) }
            return state.sleeper == nil
        }
        server.watcher.watch(self, socket: socket, for: .input)
        guard isFirst else { return }
        let sleeper = server.drainClock.schedule(after: .seconds(2)) { [self] in
            if state.withLock({ $0.leave([.running]) }) { end(.complete) }
        }
        state.withLock { $0.sleeper = sleeper }
    }

    private func end(_ outcome: ExchangeEnd) {
        let (sleeper, bytesSent) = state.withLock { state in
            state.mode = .ended
            state.isParked = false
            defer { state.sleeper = nil }
            return (state.sleeper, state.bytesSent)
        }
        sleeper?.cancel()
        server.watcher.forget(self, socket: socket)
        reply.observer?.exchangeEnded(outcome, bytesSent: bytesSent)
        server.exchangeEnded(self)
        release(outcome == .complete ? ending : .close)
    }

    /// RFC 9112 §9.3.2: a client repeats pipelined requests that a closed connection left unanswered.
    private var ending: RawReply.Ending {
        let ending = state.withLock { $0.rest.ending }
        return ending == .keepAlive && connection.hasLostInput ? .drainAndClose : ending
    }

    private func release(_ ending: RawReply.Ending) {
        switch ending {
        case .keepAlive where connection.isPersistent:
            server.takeBack(connection, socket: socket)
        case .reset:
            server.ended(connection)
            Socket.reset(socket)
        case .cut:
            connection.tunnel?.cut()
            fallthrough
        case .keepAlive, .close, .drainAndClose:
            server.ended(connection)
            Socket.discardUnread(socket)
            close(socket)
        }
    }
}
