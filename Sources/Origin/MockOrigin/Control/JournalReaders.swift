package import Clocks
import Locks

/// The readers that wait for news of a journal.
package final class JournalReaders: Sendable {
    private struct State {
        /// The readers, by a number that identifies each.
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
    }
    private let state = Lock(State())

    package init() {}

    /// Notifies the readers of a change, or of an event that is not an exchange.
    package func notify() {
        state.withLock { state in
            for reader in state.readers.values { reader.yield() }
        }
    }

    /// Returns a stream with one element immediately and one whenever something was noted.
    package func news() -> AsyncStream<Void> { add().stream }

    /// Returns a stream like `news()` that ends after a duration on a clock.
    package func news(for time: Duration, of clock: any TimeSource) -> AsyncStream<Void> {
        let (stream, reader) = add()
        let sleeper = clock.schedule(after: time) { reader.finish() }
        let forget = reader.onTermination
        reader.onTermination = { reason in
            sleeper.cancel()
            forget?(reason)
        }
        return stream
    }

    private func add() -> (stream: AsyncStream<Void>, reader: AsyncStream<Void>.Continuation) {
        let (stream, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.count += 1
            state.readers[state.count] = reader
            return state.count
        }
        reader.onTermination = { [weak self] _ in self?.forget(number) }
        reader.yield()
        return (stream, reader)
    }

    private func forget(_ number: Int) {
        // Released outside the lock, because ending the stream calls this method again.
        _ = state.withLock { $0.readers.removeValue(forKey: number) }
    }
}
