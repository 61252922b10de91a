public import CLibrary

/// A value that one thread at a time may touch.
///
/// Held over memory only, never over I/O, an `await` or a callback. `Synchronization.Mutex` is not used because
/// ThreadSanitizer reports false races with it on Linux.
public final class Lock<State>: Sendable {
    @usableFromInline let locked: Locked<State>

    /// Creates an unlocked lock over `state`.
    @inlinable
    public init(_ state: sending State) { locked = Locked(state) }

    /// Runs `body` with exclusive access to the state and returns its result; not re-entrant.
    @inlinable
    @inline(__always)
    public func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try locked.withLock(body)
    }
}

/// A lock owned by one object and stored in place, which saves an allocation where there are thousands of objects.
public struct Locked<State>: ~Copyable, @unchecked Sendable {
    // Reason: `state` is touched only between pthread_mutex_lock and _unlock.
    @usableFromInline let storage: UnsafeMutablePointer<Storage>

    // Allocated separately: the address is stable, and there are no exclusivity checks, which the mutex makes
    // redundant.
    @usableFromInline
    struct Storage {
        @usableFromInline var mutex = pthread_mutex_t()
        @usableFromInline var state: State

        @inlinable
        init(state: consuming State) { self.state = state }
    }

    /// Creates an unlocked lock over `state`.
    @inlinable
    public init(_ state: sending State) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(state: consume state))
        #if canImport(Glibc)
            // Critical sections are shorter than a sleep and a wake-up, so spin first. This is glibc's
            // PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP; assigning it is cheap, and every exchange creates locks.
            storage.pointee.mutex.__data.__kind = Int32(PTHREAD_MUTEX_ADAPTIVE_NP)
        #else
            pthread_mutex_init(&storage.pointee.mutex, nil)
        #endif
    }

    @inlinable
    deinit {
        pthread_mutex_destroy(&storage.pointee.mutex)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// Runs `body` with exclusive access to the state and returns its result; not re-entrant.
    @inlinable
    @inline(__always)
    public func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(&storage.pointee.mutex)
        defer { pthread_mutex_unlock(&storage.pointee.mutex) }
        return try body(&storage.pointee.state)
    }
}
