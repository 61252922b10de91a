import Dispatch

/// Calls `body` once with each number below `count`, on as many threads as there are cores, and returns when all calls have.
///
/// Blocks the calling thread, which must not be one of Swift's executor.
package func onAllCores(count: Int, _ body: @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: count, execute: body)
}
