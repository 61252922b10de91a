import ArgumentParser
import CacheSemantics
import CLibrary
import Clocks
import Conformance
import PublicSuite
import Scenarios

/// `cachecheck matrix`.
struct MatrixCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "matrix",
        abstract: "Run scenarios against several subjects and compare the results.",
        discussion: """
            Without subjects: the built-in client and every known proxy that is installed. A subject that is not installed \
            is listed with the reason. Verdicts come from the first run; --confirm reruns subjects with failures once, and \
            reports scenarios whose verdicts differ as flaky.

            Exit status: 0, or 69 if no subject could be run.
            """
    )

    @Argument(
        help: ArgumentHelp("Subjects: \(ConformanceReference.subjectNames).", valueName: "subject"),
        transform: expecting(ConformanceReference.subjectNames)
    )
    var subjects: [SubjectChoice] = []

    @Option(help: "Scenario files or folders. May be repeated.")
    var scenarios: [String] = []

    @OptionGroup
    var ruleOptions: RuleOptions

    @Option(help: "JSON file of the public suite. May be repeated.")
    var suite: [String] = []

    @Option(
        help: "Run only scenarios whose ids match; * and ? are wildcards, * also matches /. May be repeated."
    )
    var filter: [String] = []

    @Option(help: "\(ReportRequest<PageFormat>.help). May be repeated.")
    var report: [ReportRequest<PageFormat>] = []

    @Option(
        help: ArgumentHelp(
            "Write a static site to a folder: index.html, and a report for each subject.",
            valueName: "DIR"
        )
    )
    var site: String?

    @Option(help: "Number of scenarios that run concurrently, as for `cachecheck run`.")
    var jobs: Int?

    @Option(help: "Time of subjects outside this process, as for `cachecheck run`.")
    var time = RunOptions.Time.auto

    @Flag(help: "Rerun subjects with failures once, and report flaky scenarios.")
    var confirm = false

    func validate() throws {
        try demandPossibleJobs(jobs)
        try refuseSharedFiles(report.withoutRepetitions.map(\.path))
    }

    func run() throws {
        let paths = scenarios.isEmpty && suite.isEmpty ? ["scenarios"] : scenarios
        let tests = try loadSuites(suite)
        let libraries = (
            virtual: try loadScenarios(paths, rules: ruleOptions),
            real: try loadScenarios(paths, realTime: true, rules: ruleOptions)
        )
        try requireScenarios(libraries.virtual, tests)
        Process.raiseDescriptorLimit()
        if let site {
            try makeFolder(site)
            try requireWritableFolder(site)
        }
        let entries = try (subjects.isEmpty ? Self.installed : subjects).map { subject in
            try entry(of: subject, subject.choice == .builtin ? libraries.virtual : libraries.real, tests)
        }
        try write(Matrix(entries, catalogue: try ruleOptions.language().catalogue))
        if entries.allSatisfy({ $0.obstacle != nil }) {
            throw stop("No subject could be run", ExitStatus.unavailable)
        }
    }

    private func requireScenarios(_ library: ScenarioLibrary, _ tests: [SuiteFile]) throws {
        var options = RunOptions()
        options.selection.filters = filter.map(GlobPattern.init)
        try Runner(library, tests, options).requireSelection()
    }

    private func write(_ matrix: Matrix) throws {
        let today = SystemClock().today
        if let site { try cachecheck.write(MatrixSite(matrix, date: today).index, to: "\(site)/index.html") }
        let isSiteAlone = site != nil && report.isEmpty
        for request in report.isEmpty && !isSiteAlone ? [ReportRequest(kind: PageFormat.text)] : report {
            try cachecheck.write(matrix.report(request.kind, date: today), to: request.path)
        }
    }

    private static var installed: [SubjectChoice] {
        [.builtin]
            + KnownProxy.all.filter(\.isInstalled).compactMap { SubjectChoice(argument: $0.name) }
    }

    private func entry(of subject: SubjectChoice, _ library: ScenarioLibrary, _ tests: [SuiteFile]) throws
        -> MatrixEntry
    {
        var entry = MatrixEntry(name: "\(subject)")
        do {
            let chosen = try subject.found()
            entry.name = chosen.title(version: CacheCheck.version)
            printError("\(entry.name) …")
            try fill(&entry, chosen, library, tests, report: try page(of: entry.name))
            guard confirm, entry.results.contains(where: { $0.standing == .failed }) else { return entry }
            var second = MatrixEntry(name: entry.name)
            try fill(&second, chosen, library, tests)
            printFlaky(entry, second)
        } catch let error as SubjectError {
            entry.obstacle = error.description
        } catch let error as RunnerError {
            entry.obstacle = error.description
        }
        return entry
    }

    /// Opens the page of a subject; `nil` if there is no site.
    private func page(of subject: String) throws -> ReportFile? {
        guard let site else { return nil }
        var settings = ReportSettings()
        settings.catalogue = try ruleOptions.language().catalogue
        let reporter = ReportKind.html.reporter(settings)
        return try ReportFile(reporter, path: "\(site)/\(MatrixSite.file(of: subject))")
    }

    private func fill(
        _ entry: inout MatrixEntry,
        _ chosen: RunOptions.Subject,
        _ library: ScenarioLibrary,
        _ tests: [SuiteFile],
        report: ReportFile? = nil
    ) throws {
        var options = RunOptions()
        options.subject = chosen
        options.time = time
        options.jobs = jobs ?? chosen.defaultJobs(cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        options.selection.filters = filter.map(GlobPattern.init)
        let runner = Runner(library, tests, options)
        var results: [ScenarioResult] = []
        var problem: ReportError?
        let summary = try runner.run { event in
            do throws(ReportError) { try report?.write(event) } catch { problem = problem ?? error }
            if case .scenarioFinished(var result) = event {
                // A matrix needs verdicts only, not thousands of exchanges.
                result.steps = []
                results.append(result)
            }
        }
        if let problem { throw stop(problem, ExitStatus.internalError) }
        entry.results = results
        entry.seconds = summary.seconds
        entry.hasReuse = summary.hasReuse
    }

    private func printFlaky(_ first: MatrixEntry, _ second: MatrixEntry) {
        let again = Dictionary(second.results.map { ($0.name, $0.verdict.name) }) { first, _ in first }
        for result in first.results where again[result.name] != result.verdict.name {
            printError(
                "FLAKY \(first.name): \(result.name): \(result.verdict.name), then \(again[result.name] ?? "nothing")"
            )
        }
    }
}
