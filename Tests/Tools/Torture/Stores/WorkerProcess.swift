import StoreModel

/// A worker process.
final class WorkerProcess {
    private let child: ChildProcess

    /// Starts a worker on a folder; `nil` if it ends before it is ready.
    init?(_ folder: String, _ environment: [String: String] = [:]) throws(Failure) {
        let environment = environment.merging(["TORTURE_FOLDER": folder]) { old, _ in old }
        child = try ChildProcess("/proc/self/exe", ["worker", folder], environment)
        guard child.line() == "ready" else { return nil }
    }

    /// Performs a step; returns `nil` if there is no answer within the time, or the worker has ended.
    func make(_ step: ScheduleStep, within microseconds: Int? = nil) -> StepReport? {
        child.send(step.description)
        return child.line(within: microseconds).flatMap { StepReport($0) }
    }

    /// Returns the number of body files and the bytes that the store counts.
    func usage() -> [Int] {
        child.send("usage")
        return child.line()?.split(separator: " ").compactMap { Int($0) } ?? []
    }
}
