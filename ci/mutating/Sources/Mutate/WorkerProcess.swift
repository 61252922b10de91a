import Foundation

/// A process that runs single scenarios with mutants; see `ci/mutating/Worker`.
///
/// Not thread-safe. A worker that has died or taken too long is started again by the next trial.
final class WorkerProcess {
    enum Answer: Equatable {
        case passed(reached: [Int])
        case failed(reached: [Int])
        /// The trial does not apply to its cache.
        case skipped
        /// There is no verdict: the set-up, a dependency or the harness failed.
        case unfinished
        /// The process ended.
        case died
        /// The process was killed, since it took too long.
        case overdue
    }

    /// A trial that the process can run.
    struct Listed {
        let name: String
        let rules: [String]
        /// Whether its cache is the engine with a store of its own in place of the client.
        let isOfEngine: Bool
    }

    private let program: String
    private let scenarios: String
    private let environment: [String: String]
    private var running: (process: Process, input: FileHandle, output: LineReader)?
    private(set) var trials: [Listed] = []

    init(program: String, scenarios: String, environment: [String: String] = [:]) {
        self.program = program
        self.scenarios = scenarios
        self.environment = environment
    }

    deinit { stop() }

    /// How long loading all scenarios may take, in seconds.
    private static let startLimit = 300.0

    /// Starts the process unless it runs.
    func start() throws {
        if let running, running.process.isRunning { return }
        stop()
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [scenarios]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let reader = LineReader(output.fileHandleForReading)
        running = (process, input.fileHandleForWriting, reader)
        trials = []
        while let line = reader.line(within: Self.startLimit) {
            if line == "ready" { return }
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3 else { break }
            let rules = parts[1].split(separator: " ").map(String.init)
            trials.append(Listed(name: parts[0], rules: rules, isOfEngine: parts[2] == "engine"))
        }
        stop()
        throw MutationError.noWorker(program)
    }

    /// Runs a trial with a mutant, or with none (0).
    func run(_ trial: Int, mutant: Int, limit: Double) throws -> Answer {
        try start()
        guard let running else { return .died }
        do {
            try running.input.write(contentsOf: Data("\(mutant) \(trial)\n".utf8))
        } catch {
            stop()
            return .died
        }
        guard let line = running.output.line(within: limit) else {
            let answer = running.output.isAtEnd ? Answer.died : .overdue
            stop()
            return answer
        }
        let words = line.split(separator: " ")
        let reached = words.dropFirst().compactMap { Int($0) }
        return switch words.first {
        case "passed": .passed(reached: reached)
        case "failed": .failed(reached: reached)
        case "skipped": .skipped
        default: .unfinished
        }
    }

    /// Ends the process; the next trial starts another.
    func stop() {
        guard let process = running?.process else { return }
        running = nil
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}

/// Reads lines from a pipe, each within a time.
final class LineReader {
    private let handle: FileHandle
    private var rest: [UInt8] = []
    private(set) var isAtEnd = false

    init(_ handle: FileHandle) { self.handle = handle }

    /// Returns the next line without its end; `nil` at the end, or if it does not arrive within so many seconds.
    func line(within seconds: Double) -> String? {
        let end = ContinuousClock.now + .seconds(seconds)
        var searched = 0
        while true {
            if let place = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeSubrange(...place) }
                return String(decoding: rest[..<place], as: UTF8.self)
            }
            searched = rest.count
            guard readMore(until: end) else { return nil }
        }
    }

    private func readMore(until end: ContinuousClock.Instant) -> Bool {
        let milliseconds = max(0, (end - ContinuousClock.now) / .milliseconds(1))
        var descriptor = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, Int32(min(milliseconds, 1e9))) > 0 else { return false }
        let data = handle.availableData
        if data.isEmpty { isAtEnd = true }
        rest += data
        return !data.isEmpty
    }
}
