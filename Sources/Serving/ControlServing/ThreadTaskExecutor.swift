import HTTPServing
import Locks
import Threads

/// Runs tasks on a dedicated thread, so that control requests are answered even if the program's tasks block theirs.
final class ThreadTaskExecutor: TaskExecutor {
    private let queue = JobQueue()
    private let isStarted = Lock(false)

    /// Starts the thread, unless it runs; earlier tasks have waited for it, and it ends with the executor.
    func start() throws(ServerError) {
        let wasStarted = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return isStarted
        }
        if wasStarted { return }
        guard let thread = SystemThread.start({ [queue] in queue.run() }) else {
            isStarted.withLock { $0 = false }
            throw .system(call: "pthread_create", reason: "no more threads available")
        }
        thread.detach()
    }

    deinit { queue.stop() }

    func enqueue(_ job: consuming ExecutorJob) {
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
