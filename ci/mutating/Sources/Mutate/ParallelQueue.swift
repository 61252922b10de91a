import Foundation
import Synchronization

/// Applies a function to items on several threads; its results are used on one.
final class ParallelQueue<Item: Sendable, Output: Sendable>: Sendable {
    private let items: [Item]
    private let waiting: Mutex<ArraySlice<Item>>
    private let finished = Mutex<[(Item, Result<Output, any Error>)]>([])
    private let count = DispatchSemaphore(value: 0)

    init(_ items: [Item]) {
        self.items = items
        waiting = Mutex(items[...])
    }

    /// Starts `jobs` threads, on each of which `makeWork` returns the function, and calls `note` with each result on this one.
    func run(
        jobs: Int,
        makeWork: @escaping @Sendable () -> (Item) throws -> Output,
        note: (Item, Output) throws -> Void
    ) throws {
        for _ in 0..<jobs {
            Thread.detachNewThread { [self] in
                let work = makeWork()
                while let item = waiting.withLock({ $0.popFirst() }) {
                    let result = Result { try work(item) }
                    finished.withLock { $0.append((item, result)) }
                    count.signal()
                }
            }
        }
        for _ in items {
            count.wait()
            let (item, result) = finished.withLock { $0.removeFirst() }
            try note(item, result.get())
        }
    }
}
