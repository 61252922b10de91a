#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread that sleeps until the earliest deadline of an agenda and runs what is due.
final class AlarmThread: @unchecked Sendable {
    // Reason: every field is touched only while `mutex` is held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var agenda = Agenda()
    // The deadline that the thread waits for, `nil` while it does not wait: later ones need not wake it.
    private var waitsUntil: Duration?
    private var isRunning = false
    private var isStopped = false

    init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func add(deadline: Duration, wake: Agenda.Wake) -> Agenda.Ticket {
        locked {
            let ticket = agenda.add(deadline: deadline, wake: wake)
            if !isRunning { start() }
            if let waitsUntil, deadline < waitsUntil { pthread_cond_signal(condition) }
            return ticket
        }
    }

    func remove(_ ticket: Agenda.Ticket) {
        locked { agenda.remove(ticket) }
    }

    func stop() {
        locked {
            isStopped = true
            pthread_cond_signal(condition)
        }
    }

    private func start() {
        isRunning = true
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
        locked {
            while !isStopped {
                if let due = agenda.popDue(at: SystemClock.read(CLOCK_MONOTONIC)) { return due.wake }
                wait(until: agenda.earliest)
            }
            return nil
        }
    }

    private func wait(until deadline: Duration?) {
        waitsUntil = deadline ?? .seconds(Int64.max)
        defer { waitsUntil = nil }
        guard let deadline else {
            pthread_cond_wait(condition, mutex)
            return
        }
        let (seconds, attoseconds) = deadline.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        pthread_cond_timedwait(condition, mutex, &time)
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}

private func alarmThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<AlarmThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
