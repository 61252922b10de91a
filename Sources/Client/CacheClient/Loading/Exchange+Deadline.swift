import Clocks
import Locks

/// The deadline between arrivals.
extension Exchange: TimerTarget {
    func startTimer(_ deadline: Duration) {
        // The end cancels the timer, so it retains nothing for long; a weak reference would cost at every use.
        let timer = clock.schedule(self, at: deadline)
        let isFinished = state.withLock { state in
            if state.end == nil { state.timer = timer }
            return state.end != nil
        }
        if isFinished { clock.cancel(timer) }
    }

    /// Restarts the timer for the remaining time, because arrivals do not move it.
    func timerFired() {
        let moment = clock.elapsed
        if state.withLock({ $0.isDiscarding }) { return cancel(Self.notNeeded) }
        if let deadline, deadline <= moment { return cancel(.overdue) }
        let arrival = state.withLock { state -> Duration in
            if state.isPaused { state.lastArrival = moment }
            return state.lastArrival
        }
        guard let limit = limit(after: arrival) else { return }
        if limit > moment { return startTimer(limit) }
        guard let timeout else { return }
        cancel(TransportError(.timedOut, "Nothing arrived for \(timeout.secondsText) s."))
    }

    /// Returns the time at which the exchange fails if nothing arrives after an arrival; `nil` means never.
    func limit(after arrival: Duration) -> Duration? {
        guard let timeout else { return deadline }
        let limit = arrival + timeout.limited
        return deadline.map { min($0, limit) } ?? limit
    }
}
