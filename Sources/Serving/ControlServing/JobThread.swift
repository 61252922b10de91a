import HTTPServing
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Runs tasks on a thread of its own, so that a program whose tasks block their threads is answered nevertheless.
final class JobThread: TaskExecutor {
    private let queue = JobQueue()

    /// Starts the thread; called once, before any task.
    func start() throws(ServerError) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(queue)
        guard pthread_create(&thread, nil, jobThreadMain, context.toOpaque()) == 0 else {
            context.release()
            throw .system(call: "pthread_create", reason: "no thread left")
        }
        pthread_detach(thread)
    }

    deinit { queue.stop() }

    func enqueue(_ job: consuming ExecutorJob) {
        queue.add(UnownedJob(job), on: asUnownedTaskExecutor())
    }
}

/// Jobs that wait for a thread.
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

    /// Ends the thread once nothing waits.
    func stop() {
        state.withLock { $0.isStopped = true }
        state.wakeOne()
    }

    /// Runs what comes until the end.
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

private func jobThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
