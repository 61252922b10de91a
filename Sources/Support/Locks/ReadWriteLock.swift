import CLibrary

/// A value that several threads may read at once, or one thread may change.
///
/// Held over memory only, like `Lock`; worth its cost only for frequent, long reads.
public final class ReadWriteLock<State>: @unchecked Sendable {
    // Reason: `state` is read between pthread_rwlock_rdlock and _unlock, and written between _wrlock and _unlock.
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>
    private var state: State

    /// Creates an unlocked lock over `state`.
    public init(_ state: sending State) {
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_rwlock_t())
        pthread_rwlock_init(lock, nil)
        self.state = state
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deinitialize(count: 1)
        lock.deallocate()
    }

    /// Runs `body` with shared access: concurrently with other readers, never with a writer.
    public func read<Result, Failure: Error>(
        _ body: (borrowing State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body(state)
    }

    /// Runs `body` with exclusive access.
    public func write<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body(&state)
    }
}
