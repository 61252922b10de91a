import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An executor with one thread of its own, on which jobs run one after another: it plays the main queue.
final class ThreadExecutor: SerialExecutor, TaskExecutor {
    private let jobs = Lock([UnownedJob]())
    private let wakeUp = Wake()
    private let thread = Lock<pthread_t?>(nil)

    init() {
        var new = pthread_t()
        pthread_create(&new, nil, runThreadExecutor, Unmanaged.passRetained(self).toOpaque())
        pthread_detach(new)
    }

    /// Whether the caller is on its thread.
    var isCurrent: Bool { thread.withLock { $0 } == pthread_self() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        wakeUp.post()
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    fileprivate func run() {
        thread.withLock { $0 = pthread_self() }
        while true {
            wakeUp.wait()
            let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            job?.runSynchronously(on: asUnownedSerialExecutor())
        }
    }
}

private func runThreadExecutor(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<ThreadExecutor>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}

/// Counts posts; `wait()` blocks the thread for one.
final class Wake: Sendable {
    private let ends: (read: Int32, write: Int32)

    init() {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    func post() { _ = write(ends.write, [1], 1) }

    func wait() {
        var byte: UInt8 = 0
        while read(ends.read, &byte, 1) < 1 {}
    }
}
