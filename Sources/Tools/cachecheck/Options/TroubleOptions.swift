import ArgumentParser
import LocatedYAML
import Locks
import MockOrigin
import OriginScript

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Options of a server about faults and the network.
struct TroubleOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "YAML file with what goes wrong with every page: faults: [...].",
            valueName: "FILE"
        )
    )
    var faults: String?

    @Option(name: .long, help: ArgumentHelp("What random faults are drawn from.", valueName: "N"))
    var seed: UInt64?

    @Option(
        name: .long,
        help: ArgumentHelp("Write what is drawn for random faults, a line at once.", valueName: "FILE")
    )
    var decisions: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Draw by the seed of a decision log, and tell the first line that is decided otherwise.",
            valueName: "FILE"
        )
    )
    var replayDecisions: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The network to the clients: a profile of `cachecheck network list`, or several as in \"lte for 5s, "
                + "then 100% loss for 3s, then edge\".",
            valueName: "PROFILE"
        )
    )
    var network: String?

    @Option(name: .long, help: ArgumentHelp("YAML file with profiles of your own.", valueName: "FILE"))
    var profiles: String?

    func validate() throws {
        if seed != nil, replayDecisions != nil {
            throw ValidationError("--seed beside --replay-decisions, whose log has a seed.")
        }
        if profiles != nil, network == nil {
            throw ValidationError("--profiles: found no --network, expected both")
        }
    }

    /// The first of the options that is given; `nil` where none is.
    var given: String? {
        let options = [
            ("--faults", faults != nil), ("--seed", seed != nil), ("--decisions", decisions != nil),
            ("--replay-decisions", replayDecisions != nil), ("--network", network != nil),
            ("--profiles", profiles != nil),
        ]
        return options.first(where: \.1)?.0
    }

    /// Sets what the options say.
    func apply(to configuration: inout MockServer.Configuration) throws {
        let recorded = try recordedDecisions()
        configuration.faults.faults = try faultsOfFile()
        configuration.faults.seed = recorded?.seed ?? seed ?? 0
        configuration.network = try schedule()
        configuration.onDecision = try listener(recorded, seed: configuration.faults.seed)
    }

    /// What the network does, for people, after the greeting.
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
        guard let log = readText(path).flatMap({ DecisionLog(text: $0) }) else {
            throw stop("\(path):1:1: found no decision log, expected the line of its seed", Failure.badFile)
        }
        return log
    }

    private func listener(
        _ recorded: DecisionLog?,
        seed: UInt64
    ) throws -> (@Sendable (FaultDecision) -> Void)? {
        let file = try decisions.map { path in
            guard let file = DecisionFile(path, seed: seed) else {
                throw stop("\(path) cannot be written.", Failure.inside)
            }
            return file
        }
        let replay = recorded.map { DecisionReplay($0, file: replayDecisions ?? "") }
        if file == nil, replay == nil { return nil }
        return { decision in
            file?.write(decision)
            if let difference = replay?.difference(decision) { printError(difference) }
        }
    }
}

/// Reads profiles of one's own, or ends the command with what is wrong with their file.
func customProfiles(_ path: String?) throws -> [NetworkProfile] {
    guard let path else { return [] }
    return try decodeFile(path) { text throws(YAMLProblems) in try NetworkFile.decode(text, file: path) }
}

private func decodeFile<Result>(
    _ path: String,
    _ decode: (String) throws(YAMLProblems) -> Result
) throws -> Result {
    guard let text = readText(path) else { throw stop("\(path) cannot be read.", Failure.badFile) }
    do throws(YAMLProblems) {
        return try decode(text)
    } catch {
        throw stop(error, Failure.badFile)
    }
}

/// A decision log that grows while a server runs.
private final class DecisionFile: Sendable {
    private let descriptor: Int32

    init?(_ path: String, seed: UInt64) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        if descriptor < 0 { return nil }
        append(DecisionLog(seed: seed).text)
    }

    deinit { close(descriptor) }

    func write(_ decision: FaultDecision) { append("\(decision)\n") }

    private func append(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}

/// Compares decisions with those of a log, whatever order they come in, and tells the first that differs.
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

    /// Returns what differs, once.
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
