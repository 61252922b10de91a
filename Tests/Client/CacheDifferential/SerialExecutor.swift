import Locks

/// Runs the jobs of tasks one after another on the thread that asks for it, so that a run never differs.
final class SerialExecutor: TaskExecutor {
    private let jobs = Lock([UnownedJob]())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs jobs until none is left.
    func drain() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
