public import CLibrary

/// A value that one thread at a time may access, with a condition variable to wait for its changes.
///
/// Only for dedicated threads: a wait blocks its thread, and the threads of Swift's executor must never block.
public final class Monitor<State>: @unchecked Sendable {
    // Reason: `state` is touched only while `mutex` is held.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    @usableFromInline var state: State

    /// The result of evaluating a wait condition.
    public enum Evaluation<Result> {
        /// The condition holds; ends the wait with a result.
        case done(Result)
        /// The condition does not hold; evaluates it again after a wake-up, or at `until` on CLOCK_MONOTONIC.
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

    /// Wakes one waiting thread to evaluate its condition again.
    public func wakeOne() { pthread_cond_signal(condition) }

    /// Wakes all waiting threads to evaluate their conditions again.
    public func wakeAll() { pthread_cond_broadcast(condition) }

    /// Evaluates `condition` with exclusive access to the state until it returns `.done`, and blocks the thread in between.
    ///
    /// `isLate` is whether the deadline of the last wait has passed.
    public func wait<Result>(for condition: (_ state: inout State, _ isLate: Bool) -> Evaluation<Result>)
        -> Result
    {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var isLate = false
        while true {
            switch condition(&state, isLate) {
            case .done(let result): return result
            case .wait(let deadline): isLate = wait(until: deadline) == ETIMEDOUT
            }
        }
    }

    private func wait(until deadline: Duration?) -> Int32 {
        // `components` traps for longer durations, and 292 billion years are as good as no deadline.
        guard let deadline, deadline < .seconds(Int64.max) else { return pthread_cond_wait(condition, mutex) }
        let (seconds, attoseconds) = max(deadline, .zero).components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        return pthread_cond_timedwait(condition, mutex, &time)
    }
}
