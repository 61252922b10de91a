import CLibrary
import Clocks
import Locks

/// The steps that wait: for time, for a release, or for bytes of the client.
extension RawExchange {
    /// Waits until a duration has passed since the arrival of the request, or since the previous step; returns false if
    /// another thread will continue.
    func wait(_ time: Duration) -> Bool {
        let clock = reply.clock
        let deadline = state.withLock { state in
            let deadline = (state.waitsSince ?? clock.elapsed) + time
            state.waitsSince = deadline
            return deadline
        }
        return park(isScripted: true) { wake in clock.schedule(at: deadline, wake) }
    }

    /// Waits for a duration, or forever; returns true if there is nothing to wait for.
    func pause(_ length: Duration?) -> Bool {
        guard let length else { return park { _ in Sleeper(onCancel: {}) } }
        return length <= .zero || park { wake in reply.clock.schedule(after: length, wake) }
    }

    /// Waits until a number of bytes can be read; returns false if another thread will continue.
    func awaitInput(_ count: Int) -> Bool {
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
    func awaitHello(_ point: RawReply.HelloPoint) -> Bool {
        // The first five bytes of the record contain its length.
        guard let size = Socket.helloSize(socket) else { return awaitInput(5) }
        return switch point {
        case .byte(let count): awaitInput(min(max(count, 1), size))
        case .share(let share): awaitInput(min(max(Int(share * Double(size)), 1), size))
        }
    }

    /// Waits for the wake-up that `arrange` schedules; returns true if there is nothing to wait for.
    func park(
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
}
