import HTTPServing

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
private final class JobQueue: @unchecked Sendable {
    // Reason: every field is touched only while `mutex` is held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var jobs: [(job: UnownedJob, executor: UnownedTaskExecutor)] = []
    private var isStopped = false

    init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func add(_ job: UnownedJob, on executor: UnownedTaskExecutor) {
        locked { jobs.append((job, executor)) }
    }

    /// Ends the thread once nothing waits.
    func stop() { locked { isStopped = true } }

    /// Runs what comes until the end.
    func run() {
        while let jobs = next() {
            for (job, executor) in jobs { job.runSynchronously(on: executor) }
        }
    }

    private func next() -> [(job: UnownedJob, executor: UnownedTaskExecutor)]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while jobs.isEmpty, !isStopped { pthread_cond_wait(condition, mutex) }
        defer { jobs = [] }
        return jobs.isEmpty ? nil : jobs
    }

    private func locked(_ body: () -> Void) {
        pthread_mutex_lock(mutex)
        body()
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }
}

private func jobThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
