import CLibrary
import Locks
import Threads

/// A thread that sleeps until the earliest deadline of a timer queue and runs the timers that are due.
final class TimerThread: Sendable {
    private struct State {
        var timers = TimerQueue()
        // The deadline that the thread waits for, `nil` while it does not wait. Only an earlier one needs to wake it.
        var waitsUntil: Duration?
        var isRunning = false
        var isStopped = false
    }
    private let state = Monitor(State())

    func add(deadline: Duration, wake: TimerQueue.Wake) -> TimerQueue.Ticket {
        let (ticket, isFirst, isEarlier) = state.withLock { state in
            let ticket = state.timers.add(deadline: deadline, wake: wake)
            defer { state.isRunning = true }
            return (ticket, !state.isRunning, state.waitsUntil.map { deadline < $0 } ?? false)
        }
        if isFirst { start() }
        if isEarlier { state.wakeOne() }
        return ticket
    }

    func remove(_ ticket: TimerQueue.Ticket) {
        state.withLock { $0.timers.remove(ticket) }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        state.wakeOne()
    }

    private func start() {
        SystemThread.start { self.run() }?.detach()
    }

    private func run() {
        while let wake = waitForDue() { wake() }
    }

    /// Blocks until a timer is due and returns it; `nil` once the thread has been stopped.
    private func waitForDue() -> TimerQueue.Wake? {
        state.wait { state, _ in
            state.waitsUntil = nil
            if state.isStopped { return .done(nil) }
            let due = state.timers.popDue(at: SystemClock.read(CLOCK_MONOTONIC))
            if let due { return .done(due.wake) }
            state.waitsUntil = state.timers.earliest ?? .seconds(Int64.max)
            return .wait(until: state.timers.earliest)
        }
    }
}
