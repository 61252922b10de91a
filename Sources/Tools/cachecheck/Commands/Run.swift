import ArgumentParser
import CacheSemantics
import CLibrary
import Conformance
import FileReading
import HTTPServing
import LocatedYAML
import MockOrigin
import OriginScript
import PublicSuite
import ReportFormats
import Scenarios

/// `cachecheck run`.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run scenarios, or tests of the public suite, against a cache.",
        discussion: """
            A file that ends in .json is one of http-tests/cache-tests: a suite, or a list of suites.

            --subject proxy=URL tests a proxy in real time; this command is its origin, at --origin-port. Scenarios that \
            a subject does not support are skipped with the reason. First, one exchange verifies that a subject outside \
            the process reaches the origin and returns its response unchanged.

            Exit status: 0 as expected, 1 an expectation failed, 64 usage, 65 a bad file, 69 a server or subject \
            could not be started or does not reach the origin, 70 the harness itself failed.
            """
    )

    @Argument(help: "Scenario files, folders of them, or JSON files of the public suite.")
    var paths = ["scenarios"]

    @Option(
        help: "Run only scenarios whose ids match; * and ? are wildcards, * also matches /. May be repeated."
    )
    var filter: [String] = []

    @Option(
        help: ArgumentHelp(
            "Run only scenarios that name a rule whose id matches; wildcards as for --filter. May be repeated.",
            valueName: "RULE"
        )
    )
    var rule: [String] = []

    @Option(
        help: "Run only these levels, separated by commas: must, should, optimal, check.",
        transform: expecting("must, should, optimal or check, separated by commas")
    )
    var level: LevelList?

    @Option(
        help: ArgumentHelp(
            "Run only shard I of N; a hash of its id assigns each scenario to a shard.",
            valueName: "I/N"
        ),
        transform: shardOfRun
    )
    var shard: Shard?

    @Option(help: "Run only this kind of cache: private or shared.")
    var cache: CacheKind?

    @Option(
        help: ArgumentHelp(
            "Enable a deviation from the RFCs: \(Deviations.names.joined(separator: ", ")). May be repeated.",
            valueName: "NAME"
        )
    )
    var deviation: [String] = []

    @Flag(help: "Normalize percent-encoding in the built-in client's requests and cache keys.")
    var normalizePercentEncoding = false

    @Option(help: "Transport to the origin: loopback (sockets) or direct (no sockets).")
    var transport = RunOptions.Transport.loopback

    @Option(
        help:
            "Number of scenarios that run concurrently; default: the number of cores. For a proxy the number of requests (default 32), for a driver the number of processes."
    )
    var jobs: Int?

    @OptionGroup
    var subjectOptions: SubjectOptions

    @OptionGroup
    var ruleOptions: RuleOptions

    @Option(
        help: ArgumentHelp(
            "Use another server with the public suite's protocol instead of the built-in origin.",
            valueName: "URL"
        ),
        transform: expecting("an http or https URL")
    )
    var suiteOrigin: URLBase?

    @Option(
        help:
            "Public suite: compatible reproduces the suite server's bugs that affect results, strict does not."
    )
    var cacheTests = SuiteDialect.compatible

    @Option(
        help: ArgumentHelp(
            "Write the results of the public suite's tests, in its format, to a file.",
            valueName: "FILE"
        )
    )
    var results: String?

    @Option(help: "\(ReportRequest<ReportKind>.help). May be repeated.")
    var report: [ReportRequest<ReportKind>] = []

    @Option(help: "Seed of random faults; the same seed gives the same run.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("Log the decisions of random faults.", valueName: "FILE"))
    var decisions: String?

    @Option(
        help: ArgumentHelp(
            "Replay a decision log: use its seed, and fail if a decision differs.",
            valueName: "FILE"
        )
    )
    var replayDecisions: String?

    @Option(
        help: ArgumentHelp(
            "Log the bytes of all connections, and print the log's SHA-256.",
            valueName: "FILE"
        )
    )
    var wireLog: String?

    @Option(
        help: ArgumentHelp(
            "Write each failure and each noted result to a file in this folder; \"cachecheck run FILE\" reruns it.",
            valueName: "DIR"
        )
    )
    var saveFailure: String?

    @Option(help: ArgumentHelp("Write the origin's exchanges as HAR 1.2.", valueName: "FILE"))
    var har: String?

    @Flag(help: "Attach the bytes of the connections to failures in JSON, JUnit and HTML reports.")
    var attachWire = false

    @Flag(help: "Rerun failures once and report flaky ones; verdicts do not change.")
    var confirm = false

    @Flag(help: "Exit with status 1 unless every scenario passes; noted and skipped ones also fail the run.")
    var strict = false

    @Flag(help: "Send the built-in client's requests without an observer, so that it uses its fast paths.")
    var withoutObserver = false

    @Flag(help: "Show only failures and the last line of the text report.")
    var quiet = false

    @Flag(help: "Open the HTML report in a browser, with xdg-open; requires --report html=FILE.")
    var open = false

    @Flag(help: "Run again whenever a scenario, the baseline, a rule file or the driver's program changes.")
    var watch = false

    @Flag(help: "Also show the findings of scenarios that pass.")
    var explain = false

    @Option(help: ArgumentHelp("File of expected failures, one `id: reason` per line.", valueName: "FILE"))
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "Write this run's failures as a baseline, with the reasons that --baseline has; they do not fail this run.",
            valueName: "FILE"
        )
    )
    var writeBaseline: String?

    @Flag(help: "Validate the files without running anything.")
    var check = false

    /// The cache under test.
    var subject: SubjectChoice { subjectOptions.subject }

    func validate() throws {
        try demandPossibleJobs(jobs)
        try validateFiles()
        if isSavedFailure { try validateSaved() }
        try validateOrigins()
        try subjectOptions.refuseOthers([
            ("--transport", transport != .loopback), ("--without-observer", withoutObserver),
            ("--deviation", !deviation.isEmpty), ("--normalize-percent-encoding", normalizePercentEncoding),
        ])
        if results != nil, cache == nil, subject.choice == .builtin {
            throw ValidationError(
                "--results requires one kind of cache: add --cache private or --cache shared"
            )
        }
        if seed != nil, replayDecisions != nil {
            throw ValidationError(
                "--seed cannot be combined with --replay-decisions, whose log already has a seed"
            )
        }
        if open, htmlReport == nil { throw ValidationError("--open requires --report html=FILE") }
        _ = try Deviations(named: deviation)
    }

    private func validateFiles() throws {
        try refuseSharedFiles(
            report.withoutRepetitions.map(\.path) + [results, decisions, wireLog, har, writeBaseline]
        )
    }

    /// Throws a `ValidationError` if the origins' options do not fit the subject.
    ///
    /// A proxy that already runs forwards to a port that it knows, or to another origin of the public suite.
    private func validateOrigins() throws {
        if subject.forwardsToUs {
            if suiteOrigin == nil { try subjectOptions.requireOriginPort() }
        } else if suiteOrigin != nil {
            throw ValidationError("--suite-origin is only for --subject proxy=URL")
        } else if !isSavedFailure {
            try subjectOptions.requireOriginPort()
        }
    }

    /// The file of the HTML report; `nil` if there is none.
    private var htmlReport: String? { report.first { $0.kind == .html && $0.path != nil }?.path }

    func run() throws { if watch { try runRepeatedly() } else { try runOnce() } }

    /// Runs everything that is selected; throws the exit status unless it is 0.
    func runOnce() throws {
        if let saved = try savedFailure() { return try run(saved) }
        let isOutside = subject.choice != .builtin
        let library = try loadScenarios(
            paths.filter { !SuiteFile.isSuite(path: $0) },
            realTime: isOutside,
            rules: ruleOptions
        )
        let tests = try loadSuites(paths.filter(SuiteFile.isSuite))
        if check { return printCounts(library, tests) }
        if isOutside { Process.raiseDescriptorLimit() }
        try run(library, tests)
    }

    private func run(_ library: ScenarioLibrary, _ tests: [SuiteFile]) throws {
        for path in [har, results, writeBaseline].compactMap(\.self) {
            try requireWritable(path)
        }
        if let saveFailure { try requireWritableFolder(saveFailure) }
        let recorded = try loadDecisions()
        let options = try options(recorded, try subject.resolved())
        var drawn = DecisionLog(seed: options.seed)
        var kept: [ScenarioResult] = []
        var failures: [ScenarioResult] = []
        let runner = Runner(library, tests, options)
        let summary = try run(runner, options) { result in
            drawn.lines += result.decisions.map(\.description)
            if [.failed, .expectedFailure].contains(result.standing) { failures.append(result) }
            if har != nil || result.standing.failsRun || result.standing == .noted { kept.append(result) }
        }
        if open, let htmlReport { try Process.open(htmlReport) }
        try keep(kept, options)
        if let results { try write(summary.suiteResults.suiteResultsJSON, to: results) }
        if let wireLog {
            let bytes = try orStop(ExitStatus.internalError, "\(wireLog): ") {
                try FileAccess.content(ofFile: wireLog).get()
            }
            print("wire log SHA-256 \(HexDigest.sha256(bytes))")
        }
        if let recorded { try compare(recorded, with: drawn) }
        let failed = kept.filter(\.standing.failsRun)
        if confirm, !failed.isEmpty { try printFlaky(failed, library, tests, options) }
        if let writeBaseline {
            let others = runner.unselectedNames
            let text = Baseline.text(expecting: failures, keeping: options.baseline, others: others)
            try write(text, to: writeBaseline)
            let lines = text.split(separator: "\n").count { !$0.hasPrefix("#") }
            printError(
                "Wrote \(counted(lines, "expected failure")): --baseline \(ShellWord.quoted(writeBaseline))"
            )
            if summary.exitStatus == 1 { return }
        }
        try throwStatus(of: summary)
    }

    /// Throws the exit status of a run unless it is 0.
    private func throwStatus(of summary: RunSummary) throws {
        if summary.exitStatus != 0 { throw ExitCode(summary.exitStatus) }
        if strict, summary.total[.passed] != summary.total.all {
            let others = summary.total.all - summary.total[.passed]
            throw stop("--strict: \(counted(others, "scenario")) did not pass", ExitCode(1))
        }
    }

    private func options(_ recorded: DecisionLog?, _ chosen: RunOptions.Subject) throws -> RunOptions {
        var options = RunOptions()
        options.selection = selection
        options.transport = transport
        options.deviations = try Deviations(named: deviation)
        options.normalizesPercentEncoding = normalizePercentEncoding
        options.isObserved = !withoutObserver
        options.jobs = jobs ?? chosen.defaultJobs(cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        options.baseline = try loadBaseline()
        options.use(subjectOptions, chosen)
        options.suiteOrigin = suiteOrigin?.text
        options.dialect = cacheTests
        options.seed = recorded?.seed ?? seed ?? 0
        options.recordsWireBytes = wireLog != nil || attachWire || saveFailure != nil
        return options
    }

    func run(_ runner: Runner, _ options: RunOptions, _ note: (ScenarioResult) -> Void) throws -> RunSummary {
        try runner.requireSelection()
        let reports = try openReports()
        let logs = try openLogs(options)
        var failure: ReportError?
        let summary = try orStop(ExitStatus.unavailable) {
            try runner.run { event in
                if case .scenarioFinished(let result) = event { note(result) }
                let attached = attachWire ? event : event.withoutWire
                for (report, event) in reports.map({ ($0, attached) }) + logs.map({ ($0, event) }) {
                    do throws(ReportError) { try report.write(event) } catch { failure = failure ?? error }
                }
            }
        }
        if let failure { throw stop(failure, ExitStatus.internalError) }
        return summary
    }

    private var selection: Selection {
        var selection = Selection()
        selection.filters = filter.map(GlobPattern.init)
        selection.rules = rule.map(GlobPattern.init)
        selection.levels = level?.levels ?? []
        selection.shard = shard
        selection.cacheKinds = cache.map { [$0] } ?? []
        return selection
    }
}

extension Runner {
    /// Throws a `ValidationError` if nothing is selected.
    func requireSelection() throws {
        do throws(RunnerError) { try checkSelection() } catch { throw ValidationError(error.description) }
    }
}
