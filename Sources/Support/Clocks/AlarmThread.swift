import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread that sleeps until the earliest deadline of an agenda and runs what is due.
final class AlarmThread: Sendable {
    private struct State {
        var agenda = Agenda()
        // The deadline that the thread waits for, `nil` while it does not wait: later ones need not wake it.
        var waitsUntil: Duration?
        var isRunning = false
        var isStopped = false
    }
    private let state = Monitor(State())

    func add(deadline: Duration, wake: Agenda.Wake) -> Agenda.Ticket {
        let (ticket, isFirst, isEarlier) = state.withLock { state in
            let ticket = state.agenda.add(deadline: deadline, wake: wake)
            defer { state.isRunning = true }
            return (ticket, !state.isRunning, state.waitsUntil.map { deadline < $0 } ?? false)
        }
        if isFirst { start() }
        if isEarlier { state.wakeOne() }
        return ticket
    }

    func remove(_ ticket: Agenda.Ticket) {
        state.withLock { $0.agenda.remove(ticket) }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        state.wakeOne()
    }

    private func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        pthread_create(&thread, nil, alarmThreadMain, context)
        pthread_detach(thread)
    }

    fileprivate func run() {
        while let wake = waitForDue() { wake() }
    }

    /// Blocks until something is due and returns it; `nil` when the thread shall end.
    private func waitForDue() -> Agenda.Wake? {
        state.wait { state, _ in
            state.waitsUntil = nil
            if state.isStopped { return .done(nil) }
            let due = state.agenda.popDue(at: SystemClock.read(CLOCK_MONOTONIC))
            if let due { return .done(due.wake) }
            state.waitsUntil = state.agenda.earliest ?? .seconds(Int64.max)
            return .wait(until: state.agenda.earliest)
        }
    }
}

private func alarmThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<AlarmThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
