public import ArgumentParser
public import CacheSemantics
public import Conformance
import HTTPServing
import LocatedYAML
import MockOrigin
import OriginScript
import PublicSuite
import Scenarios

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Runs scenarios and tells what came of them.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run scenarios, or tests of the public suite, against a cache.",
        discussion: """
            A file that ends in .json is one of http-tests/cache-tests: a suite, or a list of suites.

            --subject proxy=URL puts a proxy to the test in real time: its origin is this command, at --origin-port. \
            What it cannot be put through is skipped with the reason.

            Exit status: 0 as expected, 1 an expectation failed, 64 usage, 65 a bad file, 69 a server or subject \
            could not be started, 70 the harness itself failed.
            """
    )

    @Argument(help: "Scenario files, or folders of them; JSON files of the public suite.")
    var paths = ["scenarios"]

    @Option(help: "Run only ids that match; * and ? as in file names, * also across /. May be repeated.")
    var filter: [String] = []

    @Option(help: "Run only these levels, separated by commas: must, should, optimal, check.")
    var level: LevelList?

    @Option(
        help: ArgumentHelp("Run only one part of so many, chosen by a hash of each id.", valueName: "I/N")
    )
    var shard: Shard?

    @Option(help: "Run only this kind of cache: private or shared.")
    var cache: CacheKind?

    @Option(
        help: ArgumentHelp(
            "A departure from the RFCs to switch on: \(Deviations.names.joined(separator: ", ")). May be repeated.",
            valueName: "NAME"
        )
    )
    var deviation: [String] = []

    @Option(help: "How the origin is reached: loopback (sockets) or direct (no sockets).")
    var transport = RunOptions.Transport.loopback

    @Option(
        help:
            "How many scenarios run at once; default: the number of cores. Of a proxy: how many requests; default 32. Of a driver: how many processes."
    )
    var jobs: Int?

    @Option(help: ArgumentHelp("The cache under test: \(SubjectChoice.help).", valueName: "SUBJECT"))
    var subject = SubjectChoice.builtin

    @Option(
        help:
            "For subjects outside the process: auto moves their clocks where they can, virtual starts them under libfaketime for that, real waits."
    )
    var time = RunOptions.Time.auto

    @Option(help: ArgumentHelp("Where the origin listens that a proxy forwards to.", valueName: "N"))
    var originPort: UInt16?

    @Option(help: ArgumentHelp("Numeric address that the origin listens on.", valueName: "ADDR"))
    var originListen = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "Another's server with the public suite's protocol, in place of our origin.",
            valueName: "URL"
        )
    )
    var suiteOrigin: URLBase?

    @Option(
        help:
            "For the public suite: compatible copies its own faults that decide a verdict, strict mends them."
    )
    var cacheTests = SuiteDialect.compatible

    @Option(
        help: ArgumentHelp(
            "Write the public suite's tests in its results format to a file.",
            valueName: "FILE"
        )
    )
    var results: String?

    @Option(
        help:
            "text, json, junit, tap, github, markdown, sarif or html, with =FILE to write a file. May be repeated."
    )
    var report: [ReportRequest] = []

    @Option(help: "What random faults are drawn from; the same seed gives the same run.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("Write what was drawn for random faults.", valueName: "FILE"))
    var decisions: String?

    @Option(
        help: ArgumentHelp(
            "Run with the seed of a decision log, and fail where it differs.",
            valueName: "FILE"
        )
    )
    var replayDecisions: String?

    @Option(
        help: ArgumentHelp("Write what went over the connections, and print its SHA-256.", valueName: "FILE")
    )
    var wireLog: String?

    @Option(
        help: ArgumentHelp(
            "Write each failing case to a file of its own here, which \"cachecheck run FILE\" runs again.",
            valueName: "DIR"
        )
    )
    var saveFailure: String?

    @Option(help: ArgumentHelp("Write what the origin saw and answered as HAR 1.2.", valueName: "FILE"))
    var har: String?

    @Flag(help: "Attach what went over the connections to failures in JSON, JUnit and HTML reports.")
    var attachWire = false

    @Flag(
        help:
            "Where something fails, run what failed once more, afresh, and tell what flaps; the verdicts stay."
    )
    var confirm = false

    @Flag(help: "Show the findings of scenarios that pass, too.")
    var explain = false

    @Option(help: "A file of failures that are expected: lines `id: reason`.")
    var baseline: String?

    @Flag(help: "Read the files and report their problems, without running anything.")
    var check = false

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) {
            throw ValidationError("--jobs takes a number from 1 to 1024.")
        }
        if subject.forwardsToUs {
            guard originPort != nil || suiteOrigin != nil else {
                throw ValidationError("--subject proxy=URL needs --origin-port, which the proxy forwards to.")
            }
        } else if suiteOrigin != nil {
            throw ValidationError("--suite-origin is for --subject proxy=URL.")
        } else if originPort != nil, subject.choice == .builtin {
            throw ValidationError("--origin-port is for subjects outside the process.")
        } else if results != nil, cache == nil, subject.choice == .builtin {
            throw ValidationError(
                "--results is about one kind of cache: add --cache private or --cache shared."
            )
        }
        if seed != nil, replayDecisions != nil {
            throw ValidationError("--seed beside --replay-decisions, whose log has a seed.")
        }
        _ = try Deviations(named: deviation)
    }

    func run() throws {
        if let saved = try savedFailure() { return try run(saved) }
        let isOutside = subject.choice != .builtin
        let library = try loadScenarios(paths.filter { !SuiteFile.isSuite(path: $0) }, realTime: isOutside)
        let tests = try loadSuites(paths.filter(SuiteFile.isSuite))
        if check { return tellCounts(library, tests) }
        if isOutside { Process.raiseDescriptorLimit() }
        let recorded = try loadDecisions()
        let options = try options(recorded, try subject.resolved())
        var drawn = DecisionLog(seed: options.seed)
        var kept: [ScenarioResult] = []
        let summary = try run(library, tests, options) { result in
            drawn.lines += result.decisions.map(\.description)
            if har != nil || result.standing.failsRun || result.standing == .noted { kept.append(result) }
        }
        try keep(kept, options)
        if let results { try write(summary.suiteResults.suiteResultsJSON, to: results) }
        if let wireLog { print("wire log SHA-256 \(Digest.sha256(Array((readText(wireLog) ?? "").utf8)))") }
        if let recorded { try compare(recorded, with: drawn) }
        let failed = kept.filter(\.standing.failsRun)
        if confirm, !failed.isEmpty { try tellFlaps(failed, library, tests, options) }
        if summary.exitStatus != 0 { throw ExitCode(summary.exitStatus) }
    }

    /// Runs what failed once more, with a new subject, and tells of each whether that confirms it.
    private func tellFlaps(
        _ failed: [ScenarioResult],
        _ library: ScenarioLibrary,
        _ tests: [SuiteFile],
        _ options: RunOptions
    ) throws {
        var options = options
        options.selection.filters = Set(failed.map(\.id)).map(GlobPattern.init)
        let runner = Runner(
            library.suites,
            dependencies: library.dependencies,
            publicSuites: tests,
            options: options,
            version: CacheCheck.version
        )
        var again: [String: String] = [:]
        do throws(RunnerError) {
            _ = try runner.run { event in
                if case .scenarioFinished(let result) = event { again[result.name] = result.verdict.name }
            }
        } catch {
            throw stop(error, Failure.unavailable)
        }
        for result in failed {
            let now = again[result.name] ?? "nothing"
            let isSame = now == result.verdict.name
            print(
                "\(isSame ? "CONFIRMED" : "FLAP") \(result.name): \(result.verdict.name)"
                    + (isSame ? "" : ", then \(now)")
            )
        }
    }

    private func options(_ recorded: DecisionLog?, _ chosen: RunOptions.Subject) throws -> RunOptions {
        var options = RunOptions()
        options.selection = selection
        options.transport = transport
        options.deviations = try Deviations(named: deviation)
        options.jobs = jobs ?? chosen.usualJobs(cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        options.baseline = try loadBaseline()
        options.subject = chosen
        options.time = time
        options.originServer.port = originPort ?? 0
        options.originServer.address = originListen
        options.suiteOrigin = suiteOrigin?.text
        options.dialect = cacheTests
        options.seed = recorded?.seed ?? seed ?? 0
        options.keepsWire = wireLog != nil || attachWire || saveFailure != nil
        return options
    }

    private func tellCounts(_ library: ScenarioLibrary, _ tests: [SuiteFile]) {
        let scenarios = library.suites.flatMap(\.scenarios).count
        let count = tests.flatMap(\.suites).flatMap(\.tests).count
        if !library.suites.isEmpty || tests.isEmpty {
            print("\(scenarios) scenarios in \(library.suites.count) files are well-formed")
        }
        if !tests.isEmpty { print("\(count) tests in \(tests.count) files are well-formed") }
    }

    func write(_ text: String, to path: String) throws {
        let bytes = Array(text.utf8)
        guard let file = fopen(path, "w") else {
            throw stop("\(path) cannot be written.", Failure.inside)
        }
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWritten else { throw stop("\(path) cannot be written.", Failure.inside) }
    }

    private func run(
        _ library: ScenarioLibrary,
        _ tests: [SuiteFile],
        _ options: RunOptions,
        _ note: (ScenarioResult) -> Void
    ) throws -> RunSummary {
        let runner = Runner(
            library.suites,
            dependencies: library.dependencies,
            publicSuites: tests,
            options: options,
            version: CacheCheck.version
        )
        return try run(runner, options, note)
    }

    func run(
        _ runner: Runner,
        _ options: RunOptions,
        _ note: (ScenarioResult) -> Void
    ) throws -> RunSummary {
        // A run of nothing would pass whatever the cache does.
        // A part of a run may be empty.
        if runner.count == 0, shard == nil { throw ValidationError("No scenario is selected.") }
        let reports = try openReports() + openLogs(options)
        var failure: ReportError?
        let summary: RunSummary
        do throws(RunnerError) {
            summary = try runner.run { event in
                if case .scenarioFinished(let result) = event { note(result) }
                for report in reports {
                    do throws(ReportError) { try report.write(event) } catch { failure = failure ?? error }
                }
            }
        } catch {
            throw stop(error, Failure.unavailable)
        }
        if let failure { throw stop(failure, Failure.inside) }
        return summary
    }

    private var selection: Selection {
        var selection = Selection()
        selection.filters = filter.map(GlobPattern.init)
        selection.levels = level?.levels ?? []
        selection.shard = shard
        selection.cacheKinds = cache.map { [$0] } ?? []
        return selection
    }

    /// Opens what was asked for, and the text on standard output unless another report goes there.
    private func openReports() throws -> [ReportFile] {
        var requests = report
        if !requests.contains(where: { $0.path == nil }) {
            requests.insert(ReportRequest(kind: .text), at: 0)
        }
        do {
            return try requests.map { try ReportFile($0.kind.reporter(explains: explain), path: $0.path) }
        } catch {
            throw stop("\(error)", Failure.inside)
        }
    }

    private func openLogs(_ options: RunOptions) throws -> [ReportFile] {
        do {
            let log = try decisions.map { try ReportFile(DecisionReporter(seed: options.seed), path: $0) }
            let wire = try wireLog.map { try ReportFile(WireReporter(), path: $0) }
            return [log, wire].compactMap { $0 }
        } catch {
            throw stop("\(error)", Failure.inside)
        }
    }

    private func loadDecisions() throws -> DecisionLog? {
        guard let path = replayDecisions else { return nil }
        guard let log = readText(path).flatMap({ DecisionLog(text: $0) }) else {
            throw stop("\(path):1:1: found no decision log, expected the line of its seed", Failure.badFile)
        }
        return log
    }

    private func compare(_ recorded: DecisionLog, with drawn: DecisionLog) throws {
        guard let difference = recorded.firstDifference(from: drawn) else { return }
        let place = "\(replayDecisions ?? ""):\(difference.line):1"
        let (here, there) = (difference.here ?? "nothing", difference.there ?? "nothing")
        throw stop("\(place): found \"\(here)\", this run has \"\(there)\"", ExitCode(1))
    }

    private func loadBaseline() throws -> Baseline {
        guard let baseline else { return Baseline() }
        guard let text = readText(baseline) else {
            throw stop("\(baseline) cannot be read.", Failure.badFile)
        }
        do throws(BaselineError) {
            return try Baseline(text: text, file: baseline)
        } catch {
            throw stop(error, Failure.badFile)
        }
    }
}

/// Reads scenario files, or ends the command with every problem they have.
func loadScenarios(_ paths: [String], realTime: Bool = false) throws -> ScenarioLibrary {
    do throws(YAMLProblems) {
        return try ScenarioLibrary.load(paths: paths, realTime: realTime)
    } catch {
        throw stop(error, Failure.badFile)
    }
}

/// Reads files of the public suite, or ends the command with every problem they have.
func loadSuites(_ paths: [String]) throws -> [SuiteFile] {
    var problems: [Problem] = []
    var files: [SuiteFile] = []
    for path in paths {
        do throws(YAMLProblems) {
            files.append(try loadSuite(path))
        } catch {
            problems += error.problems
        }
    }
    problems += SuiteFile.problems(in: files)
    if !problems.isEmpty { throw stop(YAMLProblems(problems), Failure.badFile) }
    return files
}

private func loadSuite(_ path: String) throws(YAMLProblems) -> SuiteFile {
    if let text = readText(path) { return try SuiteFile.decode(json: text, file: path) }
    let start = Position(file: path, line: 1, column: 1)
    throw YAMLProblems([Problem(at: start, found: "a file that cannot be read", expected: "tests")])
}

/// Returns the text of a file; `nil` where it cannot be read.
func readText(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        if count == 0 { return ferror(file) == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
        bytes += buffer[..<count]
    }
}

/// Prints why the command ends and returns the exit status to throw.
func stop(_ reason: some CustomStringConvertible, _ code: ExitCode) -> ExitCode {
    printError(reason)
    return code
}

extension CacheKind: ExpressibleByArgument {}

extension Shard: ExpressibleByArgument {
    /// `I/N`.
    public init?(argument: String) { self.init(argument) }
}

extension RunOptions.Transport: ExpressibleByArgument {}

extension RunOptions.Time: ExpressibleByArgument {}

/// An http or https URL below which paths are asked for; a slash at its end is dropped.
struct URLBase: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: argument.hasPrefix), argument.count > scheme.count,
            argument.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        text = String(argument.reversed().drop { $0 == "/" }.reversed())
    }
}

/// Levels as they are written on the command line.
struct LevelList: ExpressibleByArgument {
    let levels: Set<RuleLevel>

    init?(argument: String) {
        let names = argument.split(separator: ",")
        levels = Set(names.compactMap { RuleLevel(rawValue: String($0)) })
        if names.isEmpty || levels.count != Set(names).count { return nil }
    }
}

/// A report as it is asked for on the command line: `KIND` or `KIND=FILE`.
struct ReportRequest: ExpressibleByArgument {
    let kind: ReportKind
    var path: String?

    init(kind: ReportKind) {
        self.kind = kind
    }

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = ReportKind(rawValue: String(parts[0])), parts.count == 1 || !parts[1].isEmpty else {
            return nil
        }
        self.kind = kind
        path = parts.count == 2 ? String(parts[1]) : nil
    }
}
