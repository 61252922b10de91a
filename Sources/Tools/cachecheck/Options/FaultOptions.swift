import ArgumentParser
import CLibrary
import LocatedYAML
import Locks
import MockOrigin
import OriginScript

/// Fault and network options of a server.
struct FaultOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("YAML file with faults for every request: faults: [...].", valueName: "FILE")
    )
    var faults: String?

    @Option(name: .long, help: ArgumentHelp("Seed of random faults.", valueName: "N"))
    var seed: UInt64?

    @Option(
        name: .long,
        help: ArgumentHelp("Log the decisions of random faults, one line each.", valueName: "FILE")
    )
    var decisions: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Replay a decision log: use its seed, and report the first decision that differs.",
            valueName: "FILE"
        )
    )
    var replayDecisions: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Network profile between server and clients, from `cachecheck network list`, or a sequence as in \"lte for 5s, "
                + "then 100% loss for 3s, then edge\".",
            valueName: "PROFILE"
        )
    )
    var network: String?

    @Option(name: .long, help: ArgumentHelp("YAML file with your own profiles.", valueName: "FILE"))
    var profiles: String?

    func validate() throws {
        if seed != nil, replayDecisions != nil {
            throw ValidationError(
                "--seed cannot be combined with --replay-decisions, whose log already has a seed"
            )
        }
        if profiles != nil, network == nil {
            throw ValidationError("--profiles requires --network")
        }
    }

    /// The first of these options that is given; `nil` if none is.
    var given: String? {
        let options = [
            ("--faults", faults != nil), ("--seed", seed != nil), ("--decisions", decisions != nil),
            ("--replay-decisions", replayDecisions != nil), ("--network", network != nil),
            ("--profiles", profiles != nil),
        ]
        return options.first(where: \.1)?.0
    }

    /// The settings that the options select.
    struct Settings {
        var faults: [Fault]
        var seed: UInt64
        var network: NetworkSchedule?
        var onDecision: (@Sendable (FaultDecision) -> Void)?
    }

    /// Reads the files of the options, and opens the log of decisions; without options the seed is `otherwise`, or 0.
    func settings(seed otherwise: UInt64? = nil) throws -> Settings {
        let recorded = try recordedDecisions()
        let seed = recorded?.seed ?? seed ?? otherwise ?? 0
        return Settings(
            faults: try faultsOfFile(),
            seed: seed,
            network: try schedule(),
            onDecision: try listener(recorded, seed: seed)
        )
    }

    /// Applies the options.
    func apply(to configuration: inout MockServer.Configuration) throws {
        let settings = try settings()
        configuration.faults.faults = settings.faults
        configuration.faults.seed = settings.seed
        configuration.network = settings.network
        configuration.onDecision = settings.onDecision
    }

    /// A description of the network for the lines printed at the start.
    var summary: String {
        guard let schedule = try? schedule() else { return "" }
        return schedule.phases.map { "\n\($0.profile.summary)" }.joined()
    }

    private func faultsOfFile() throws -> [Fault] {
        guard let faults else { return [] }
        return try decodeFile(faults) { text throws(YAMLProblems) in try FaultsFile.decode(text, file: faults)
        }
    }

    private func schedule() throws -> NetworkSchedule? {
        guard let network else { return nil }
        let custom = try customProfiles(profiles)
        do throws(FaultTextProblem) {
            return try NetworkSchedule(text: network, custom: custom)
        } catch {
            throw ValidationError("--network: found \(error.found), expected \(error.expected)")
        }
    }

    private func recordedDecisions() throws -> DecisionLog? {
        guard let path = replayDecisions else { return nil }
        guard let log = DecisionLog(text: try requiredText(path)) else {
            throw stop(
                "\(path):1:1: found no decision log, expected the line of its seed",
                ExitStatus.badFile
            )
        }
        return log
    }

    private func decisionFile(seed: UInt64) throws -> DecisionFile? {
        guard let path = decisions else { return nil }
        if let file = DecisionFile(path, seed: seed) { return file }
        throw stop("\(path) cannot be written: \(String(cString: strerror(errno)))", ExitStatus.internalError)
    }

    private func listener(
        _ recorded: DecisionLog?,
        seed: UInt64
    ) throws -> (@Sendable (FaultDecision) -> Void)? {
        let file = try decisionFile(seed: seed)
        let replay = recorded.map { DecisionReplay($0, file: replayDecisions ?? "") }
        if file == nil, replay == nil { return nil }
        return { decision in
            file?.write(decision)
            if let difference = replay?.difference(decision) { printError(difference) }
        }
    }
}

/// Reads faults as `--fault` gives them.
func parsedFaults(_ texts: [String]) throws -> [Fault] {
    try texts.map { text in
        do throws(FaultTextProblem) {
            return try Fault(text: text)
        } catch {
            throw ValidationError("--fault: found \(error.found), expected \(error.expected)")
        }
    }
}

/// Reads a file of network profiles; ends the command with its problems if it is invalid.
func customProfiles(_ path: String?) throws -> [NetworkProfile] {
    guard let path else { return [] }
    return try decodeFile(path) { text throws(YAMLProblems) in try NetworkFile.decode(text, file: path) }
}

private func decodeFile<Result>(
    _ path: String,
    _ decode: (String) throws(YAMLProblems) -> Result
) throws -> Result {
    let text = try requiredText(path)
    return try orStop(ExitStatus.badFile) { try decode(text) }
}

/// A decision log that is written while a server runs.
private final class DecisionFile: Sendable {
    private let path: String
    private let descriptor: Int32
    /// Whether something could not be written, which is reported once.
    private let isIncomplete = Lock(false)

    init?(_ path: String, seed: UInt64) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        if descriptor < 0 || !append(DecisionLog(seed: seed).text) { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ decision: FaultDecision) {
        if append("\(decision)\n") { return }
        let reason = String(cString: strerror(errno))
        let isFirst = isIncomplete.withLock { isIncomplete in
            defer { isIncomplete = true }
            return !isIncomplete
        }
        guard isFirst else { return }
        printError("cachecheck: decisions are missing in \(path), which cannot be written: \(reason)")
    }

    private func append(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let count = bytes.withUnsafeBytes { CLibrary.write(descriptor, $0.baseAddress, $0.count) }
        return count == bytes.count
    }
}

/// Compares decisions with those of a log, in any order, and reports the first that differs.
private final class DecisionReplay: Sendable {
    private let lines: [String: (number: Int, line: String)]
    private let file: String
    private let hasTold = Lock(false)

    init(_ log: DecisionLog, file: String) {
        let questions = log.lines.enumerated().map { index, line in
            (FaultDecision.question(ofLine: line), (number: index + 2, line: line))
        }
        lines = Dictionary(questions) { first, _ in first }
        self.file = file
    }

    /// Returns the first difference, once.
    func difference(_ decision: FaultDecision) -> String? {
        let recorded = lines[decision.question]
        if recorded?.line == decision.description { return nil }
        let isFirst = hasTold.withLock { hasTold in
            defer { hasTold = true }
            return !hasTold
        }
        guard isFirst else { return nil }
        let place =
            recorded.map { "\(file):\($0.number):1: found \"\($0.line)\"" } ?? "\(file):1:1: found nothing"
        return "\(place), this run has \"\(decision)\""
    }
}
