import Dispatch

/// Runs tasks on a queue of its own, so that a program whose tasks block their threads is answered nevertheless.
final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "control", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
