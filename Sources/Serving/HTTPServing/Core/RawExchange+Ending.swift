import CLibrary
import Clocks
import Locks

/// The end of an exchange and of its connection.
extension RawExchange {
    func finish() {
        if state.withLock({ $0.isStopRequested }) { return end(.stopped) }
        guard ending == .drainAndClose else { return end(.complete) }
        shutdown(socket, CInt(SHUT_WR))
        keepDraining(isHangUp: false)
    }

    /// Reads for a while before closing: closing with unread bytes resets the connection and may destroy the response.
    func keepDraining(isHangUp: Bool) {
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

    func end(_ outcome: ExchangeEnd) {
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
