import Locks

/// A number that counts up.
final class Counter: Sendable {
    private let count = Lock(0)

    /// Returns the next number, from 1.
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
