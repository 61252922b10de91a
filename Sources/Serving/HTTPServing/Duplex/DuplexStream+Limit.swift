package import Clocks
import Locks

extension DuplexStream {
    /// Performs an action on the connection, and interrupts the connection once that takes longer than `limit`.
    ///
    /// Returns `nil` if it took longer.
    package func perform<Result>(
        within limit: Duration,
        by clock: any TimeSource,
        _ action: () async -> Result
    ) async -> Result? {
        let isLate = Lock(false)
        let timer = clock.schedule(after: limit) {
            isLate.withLock { $0 = true }
            self.interrupt()
        }
        let result = await action()
        timer.cancel()
        return isLate.withLock { $0 } ? nil : result
    }
}
