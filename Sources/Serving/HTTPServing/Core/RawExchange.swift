import CLibrary
import Clocks
import Locks

/// Writes a raw reply to the socket step by step, without a dedicated thread.
///
/// The event that makes the next step possible (timer, release, socket event) performs it on its thread. Only the
/// thread that moves the exchange out of `waiting` or `blocked` continues, so steps never overlap.
public final class RawExchange: Sendable {
    enum Mode: Equatable {
        case running
        case waiting(number: Int)
        case blocked
        case draining
        case ended
    }
    struct State {
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
    let reply: RawReply
    let socket: CInt
    let connection: ServerConnection
    let server: ServerCore
    let state: Lock<State>

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

    func run() {
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
}
