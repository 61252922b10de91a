import StoreModel

/// A worker that is started, asked and killed.
final class WorkerProcess {
    private let child: ChildProcess

    /// Starts a worker on a folder; `nil` where it ends before it is ready.
    init?(_ folder: String, _ environment: [String: String] = [:]) throws(Failure) {
        let environment = environment.merging(["TORTURE_FOLDER": folder]) { old, _ in old }
        child = try ChildProcess("/proc/self/exe", ["worker", folder], environment)
        guard child.line() == "ready" else { return nil }
    }

    /// Has a step made; `nil` where there was no answer within so many microseconds, or none any more.
    func make(_ step: ScheduleStep, within microseconds: Int? = nil) -> StepReport? {
        child.send(step.description)
        return child.line(within: microseconds).flatMap { StepReport($0) }
    }

    /// The number of body files and the bytes that the store counts.
    func usage() -> [Int] {
        child.send("usage")
        return child.line()?.split(separator: " ").compactMap { Int($0) } ?? []
    }
}
