import Locks

/// Runs tasks on a dedicated thread, so that they run even if other tasks block the threads of Swift's executor.
package final class ThreadExecutor: TaskExecutor {
    private let queue = JobQueue()
    private let isStarted = Lock(false)

    /// Creates an executor whose tasks wait until it is started.
    package init() {}

    /// Returns an executor that has been started; `nil` if the system has no thread left.
    package static func started() -> ThreadExecutor? {
        let executor = ThreadExecutor()
        return executor.start() ? executor : nil
    }

    /// Starts the thread, unless it runs; returns false if the system has none left.
    ///
    /// The thread ends with the executor.
    package func start() -> Bool {
        isStarted.withLock { isStarted in
            if isStarted { return true }
            let thread = SystemThread.start { [queue] in queue.run() }
            thread?.detach()
            isStarted = thread != nil
            return isStarted
        }
    }

    deinit { queue.stop() }

    /// Runs a job after earlier ones.
    package func enqueue(_ job: consuming ExecutorJob) {
        queue.add(UnownedJob(job), on: asUnownedTaskExecutor())
    }
}

/// The pending jobs of the thread.
private final class JobQueue: Sendable {
    private typealias Job = (job: UnownedJob, executor: UnownedTaskExecutor)
    private struct State {
        var jobs: [Job] = []
        var isStopped = false
    }
    private let state = Monitor(State())

    func add(_ job: UnownedJob, on executor: UnownedTaskExecutor) {
        state.withLock { $0.jobs.append((job, executor)) }
        state.wakeOne()
    }

    /// Ends the thread once no job is pending.
    func stop() {
        state.withLock { $0.isStopped = true }
        state.wakeOne()
    }

    /// Runs jobs until `stop()`.
    func run() {
        while let jobs = next() {
            for (job, executor) in jobs { job.runSynchronously(on: executor) }
        }
    }

    private func next() -> [Job]? {
        state.wait { state, _ in
            if state.jobs.isEmpty { return state.isStopped ? .done(nil) : .wait() }
            defer { state.jobs = [] }
            return .done(state.jobs)
        }
    }
}
