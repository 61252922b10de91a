import CLibrary
import Locks

/// An executor with one thread, on which jobs run one after another, in the role of the main queue.
package final class ThreadExecutor: SerialExecutor, TaskExecutor {
    private let jobs = Lock([UnownedJob]())
    private let wakeUp = Wake()
    private let thread = Lock<pthread_t?>(nil)

    package init() {
        startThread { self.run() }
    }

    /// Whether the caller is on its thread.
    package var isCurrent: Bool { thread.withLock { $0 } == pthread_self() }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        wakeUp.post()
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    private func run() {
        thread.withLock { $0 = pthread_self() }
        while true {
            wakeUp.wait()
            let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            job?.runSynchronously(on: asUnownedSerialExecutor())
        }
    }
}
