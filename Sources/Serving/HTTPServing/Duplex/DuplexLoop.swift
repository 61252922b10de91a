import Cepoll
import Locks
import Threads

/// A thread that runs the tasks of its connections, and wakes them when their sockets can be read or written.
///
/// A task that prefers this executor reads and writes without changing threads.
package final class DuplexLoop: TaskExecutor {
    private struct Inbox {
        var jobs: [UnownedJob] = []
        /// Whether the thread will look at the inbox before it waits.
        var isAwake = false
    }
    private struct Tasks {
        var running: [UInt64: Task<Void, Never>] = [:]
        var next: UInt64 = 0
        var isStopping = false
    }
    private let poller: Poller
    private let inbox = Lock(Inbox())
    private let tasks = Lock(Tasks())
    private let streams = Lock<[UInt64: DuplexStream]>([:])
    private let thread = Lock<SystemThread?>(nil)

    package init() throws(ServerError) { poller = try Poller() }

    package func start() throws(ServerError) {
        let started = try SystemThread.serving { self.run() }
        thread.withLock { $0 = started }
    }

    /// Interrupts every connection, cancels every task, waits until all have ended, and closes what no task has closed.
    package func stop() {
        let running = tasks.withLock { tasks in
            tasks.isStopping = true
            return Array(tasks.running.values)
        }
        for stream in streams.withLock({ Array($0.values) }) { stream.interrupt() }
        for task in running { task.cancel() }
        poller.wake()
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
        for stream in streams.withLock({ Array($0.values) }) { stream.close() }
    }

    /// Runs a task on the thread; returns false, and runs nothing, once the loop is stopping.
    @discardableResult
    package func run(_ body: nonisolated(nonsending) @escaping @Sendable () async -> Void) -> Bool {
        tasks.withLock { tasks in
            guard !tasks.isStopping else { return false }
            tasks.next += 1
            let number = tasks.next
            tasks.running[number] = Task(executorPreference: self) {
                await body()
                self.hasEnded(number)
            }
            return true
        }
    }

    /// Tasks that have not ended.
    var runningTasks: Int { tasks.withLock { $0.running.count } }

    private func hasEnded(_ number: UInt64) {
        _ = tasks.withLock { $0.running.removeValue(forKey: number) }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wakes = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isAwake = true }
            return !inbox.isAwake
        }
        if wakes { poller.wake() }
    }

    // MARK: Streams

    /// Watches a stream's socket until `remove` is called; false if the system refuses.
    func add(_ stream: DuplexStream) -> Bool {
        streams.withLock { $0[stream.number] = stream }
        let events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        return poller.add(stream.socket, events, as: stream.number)
    }

    func remove(_ stream: DuplexStream) {
        poller.remove(stream.socket)
        _ = streams.withLock { $0.removeValue(forKey: stream.number) }
    }

    // MARK: On the thread

    private func run() {
        var events = Poller.room(256)
        var jobs: [UnownedJob] = []
        let executor = asUnownedTaskExecutor()
        while true {
            takeJobs(&jobs)
            for job in jobs { job.runSynchronously(on: executor) }
            let isIdle = prepareToWait()
            if isIdle, isFinished { return }
            guard let found = poller.wait(&events, milliseconds: isIdle ? -1 : 0) else { return }
            inbox.withLock { $0.isAwake = true }
            for index in 0..<found { handle(events[index]) }
        }
    }

    private var isFinished: Bool { tasks.withLock { $0.isStopping && $0.running.isEmpty } }

    /// Replaces the jobs that were run by those in the inbox, which keeps the memory.
    private func takeJobs(_ jobs: inout [UnownedJob]) {
        jobs.removeAll(keepingCapacity: true)
        inbox.withLock { swap(&$0.jobs, &jobs) }
    }

    /// Marks the loop as asleep if the inbox is empty, so that the next job wakes the thread; returns whether it is
    /// asleep.
    private func prepareToWait() -> Bool {
        inbox.withLock { inbox in
            inbox.isAwake = !inbox.jobs.isEmpty
            return !inbox.isAwake
        }
    }

    private func handle(_ event: epoll_event) {
        if event.data.u64 == Poller.wakeUp { return poller.clearWakeUp() }
        let number = event.data.u64
        streams.withLock { $0[number] }?.handle(event.events)
    }
}
