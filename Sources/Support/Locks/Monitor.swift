#if canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

/// A value that one thread at a time may touch, and that threads wait on.
///
/// For threads of one's own: a wait blocks its thread, which those of Swift's executor must never be.
public final class Monitor<State>: @unchecked Sendable {
    // Reason: `state` is touched only while `mutex` is held.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    @usableFromInline var state: State

    /// What a look at the state comes to.
    public enum Turn<Result> {
        /// The wait is over.
        case done(Result)
        /// To look again when somebody wakes the waiters, or at a time of CLOCK_MONOTONIC.
        case wait(until: Duration? = nil)
    }

    /// Creates a monitor over `state`.
    public init(_ state: sending State) {
        self.state = state
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

    /// Runs `body` with exclusive access to the state and returns its result; not re-entrant.
    @inlinable
    public func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Makes one of those that wait look again.
    public func wakeOne() { pthread_cond_signal(condition) }

    /// Makes all that wait look again.
    public func wakeAll() { pthread_cond_broadcast(condition) }

    /// Looks at the state with exclusive access until that comes to something, and blocks the thread in between.
    ///
    /// `look` is told whether the time is over that it waited for.
    public func wait<Result>(for look: (_ state: inout State, _ isLate: Bool) -> Turn<Result>) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var isLate = false
        while true {
            switch look(&state, isLate) {
            case .done(let result): return result
            case .wait(let deadline): isLate = wait(until: deadline) == ETIMEDOUT
            }
        }
    }

    private func wait(until deadline: Duration?) -> Int32 {
        guard let deadline else { return pthread_cond_wait(condition, mutex) }
        let (seconds, attoseconds) = deadline.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        return pthread_cond_timedwait(condition, mutex, &time)
    }
}
