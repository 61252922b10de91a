import Dispatch

/// One file operation after another, in the order in which they were asked for, on a thread of their own.
public final class DiskQueue: Sendable {
    private let queue: DispatchQueue

    /// Creates a queue that runs.
    public init() { queue = DispatchQueue(label: "images.disk") }

    /// Runs `work` after everything that was asked for before.
    public func add(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs `work` after everything that was asked for before, and returns its result.
    public func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }

    /// Waits until everything that was asked for before is done.
    public func drain() async { await run {} }

    /// Holds everything back that has not begun; must be followed by `resume()` before the queue is let go.
    public func suspend() { queue.suspend() }

    /// Goes on.
    public func resume() { queue.resume() }
}
