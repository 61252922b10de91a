import Foundation

/// A child process with a limit of time.
struct Execution {
    enum Outcome: Equatable { case succeeded, failed(Int32), trapped, overdue }

    let program: String
    var arguments: [String]
    /// Added to this process's.
    var environment: [String: String] = [:]
    /// In seconds; a process that takes longer is killed.
    var limit: Double

    func run() throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        if ended.wait(timeout: .now() + limit) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
            return .overdue
        }
        guard process.terminationReason == .exit else { return .trapped }
        return process.terminationStatus == 0 ? .succeeded : .failed(process.terminationStatus)
    }
}
