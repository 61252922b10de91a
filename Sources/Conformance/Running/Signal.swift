#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A counter that threads raise and one thread waits on, so that nothing raised in between is missed.
final class Signal: @unchecked Sendable {
    // Reason: every field is touched only while `mutex` is held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var number: UInt64 = 0
    private var bell: (@Sendable () -> Void)?

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

    /// How often it has been raised.
    var count: UInt64 {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return number
    }

    /// Has `bell` called at each raise, for who waits in another place.
    func onRaise(_ bell: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        self.bell = bell
        pthread_mutex_unlock(mutex)
    }

    /// Tells whoever waits that something has happened.
    func raise() {
        pthread_mutex_lock(mutex)
        number &+= 1
        let bell = bell
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
        bell?()
    }

    /// Waits until it has been raised since `count` was `seen`; false when that is not so at `deadline`.
    ///
    /// `deadline` is a time of CLOCK_MONOTONIC; `nil` waits for ever.
    func wait(after seen: UInt64, until deadline: Duration? = nil) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while number == seen {
            if wait(until: deadline) == ETIMEDOUT { return false }
        }
        return true
    }

    private func wait(until deadline: Duration?) -> Int32 {
        guard let deadline else { return pthread_cond_wait(condition, mutex) }
        let (seconds, attoseconds) = deadline.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        return pthread_cond_timedwait(condition, mutex, &time)
    }
}
