import Locks
import Threads

extension Array where Element: Sendable {
    /// Returns the results of `work` in order, for at most `limit` elements at a time, each on a thread that may block;
    /// waits for all of them.
    package func mapOnThreads<Result: Sendable>(
        atOnce limit: Int,
        _ work: @escaping @Sendable (Element) -> Result
    ) -> [Result] {
        let next = Lock(0)
        let results = Lock([Result?](repeating: nil, count: count))
        SystemThread.concurrently(Swift.min(limit, count)) {
            while let index = next.withLock({ $0.take(below: count) }) {
                let result = work(self[index])
                results.withLock { $0[index] = result }
            }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}

extension Int {
    /// Returns the number and adds 1 to it; `nil` from `limit` on.
    fileprivate mutating func take(below limit: Int) -> Int? {
        guard self < limit else { return nil }
        defer { self += 1 }
        return self
    }
}
