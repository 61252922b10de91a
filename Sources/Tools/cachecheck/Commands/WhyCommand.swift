import ArgumentParser
import CacheSemantics
import Conformance
import PublicSuite
import Scenarios

/// `cachecheck why`.
struct WhyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Run one scenario and print all details of its verdict.",
        discussion: """
            Prints what is required, with the rule, its section and its sentence; the scenario itself; each step with the \
            exchanges at both ends of the cache, what was expected and what was seen; and the bytes on the origin's \
            connections. Scenarios that it depends on are run first; the details of one that does not pass are printed, too.

            Exit status: 0 if it passes, 1 if not, whatever its level; 64 usage, 65 a bad file, 69 a server or subject could \
            not be started or does not reach the origin, 70 the harness itself failed.
            """
    )

    @Argument(
        help: "The scenario's id, as reports name it; its last part is enough if only one scenario has it."
    )
    var id: String

    @OptionGroup
    var subjectOptions: SubjectOptions

    @OptionGroup
    var ruleOptions: RuleOptions

    @Option(help: "Scenario files or folders, or JSON files of the public suite. May be repeated.")
    var scenarios: [String] = []

    @Option(help: "Run only this kind of cache: private or shared.")
    var cache: CacheKind?

    @Option(
        help: ArgumentHelp(
            "Enable a deviation from the RFCs: \(Deviations.names.joined(separator: ", ")). May be repeated.",
            valueName: "NAME"
        )
    )
    var deviation: [String] = []

    func validate() throws {
        try subjectOptions.requireOriginPort()
        try subjectOptions.refuseOthers([("--deviation", !deviation.isEmpty)])
        _ = try Deviations(named: deviation)
    }

    func run() throws {
        let paths = scenarios.isEmpty ? Self.usualPaths : scenarios
        let isOutside = subjectOptions.subject.choice != .builtin
        let library = try loadScenarios(
            paths.filter { !SuiteFile.isSuite(path: $0) },
            realTime: isOutside,
            rules: ruleOptions
        )
        let tests = try loadSuites(paths.filter(SuiteFile.isSuite))
        let (wanted, kind) = try resolvedID(among: Self.ids(library, tests))
        if isOutside { Process.raiseDescriptorLimit() }
        var options = RunOptions()
        options.use(subjectOptions, try subjectOptions.subject.resolved())
        options.selection.filters = [GlobPattern(wanted)]
        options.selection.cacheKinds = (kind ?? cache).map { [$0] } ?? []
        options.deviations = try Deviations(named: deviation)
        options.jobs = 8
        options.recordsWireBytes = true
        let runner = Runner(library, tests, options)
        if runner.count == 0 {
            throw ValidationError("\(wanted) does not apply to this kind of cache")
        }
        try show(runner, wanted, paths)
    }

    private func show(_ runner: Runner, _ wanted: String, _ paths: [String]) throws {
        var (results, description): ([ScenarioResult], RunDescription?) = ([], nil)
        let summary = try orStop(ExitStatus.unavailable) {
            try runner.run { event in
                switch event {
                case .runStarted(let run): description = run
                case .scenarioFinished(let result): results.append(result)
                case .runFinished: break
                }
            }
        }
        guard let description else {
            throw stop(
                "cachecheck why: found a run without a description of its subject, expected one at its start; "
                    + "this is a bug in cachecheck",
                ExitStatus.internalError
            )
        }
        let catalogue = try ruleOptions.language().catalogue
        let dependencies = results.filter { $0.id != wanted }
        let chosen = results.filter { $0.id == wanted }
        let texts = (dependencies.filter { $0.verdict != .passed } + chosen).map { result in
            var details = ScenarioDetails(result, of: description, catalogue: catalogue)
            details.dependencies =
                result.id == wanted ? dependencies.filter { $0.cacheKind == result.cacheKind } : []
            complete(&details, result, paths)
            return details.text
        }
        print(texts.joined(separator: "\n\n"), terminator: "")
        if summary.exitStatus > 1 { throw ExitCode(summary.exitStatus) }
        if chosen.contains(where: { $0.verdict != .passed }) { throw ExitCode(1) }
    }

    private func complete(_ details: inout ScenarioDetails, _ result: ScenarioResult, _ paths: [String]) {
        let file = result.position.file
        details.fileText = SuiteFile.isSuite(path: file) ? nil : readShippedText(file)
        details.rerun = Self.line(id: result.name, scenarios: paths, subjectOptions, ruleOptions, deviation)
    }

    // MARK: Ids

    private static let usualPaths = ["scenarios"]

    private static func ids(_ library: ScenarioLibrary, _ tests: [SuiteFile]) -> [String] {
        (library.suites + library.dependencies).flatMap(\.scenarios).map(\.id)
            + tests.flatMap(\.suites).flatMap(\.tests).map(\.id)
    }

    /// Returns the id that is meant, and the kind of cache if the name has one, as in `id [shared]`.
    private func resolvedID(among ids: [String]) throws -> (String, CacheKind?) {
        let parts = id.split(separator: " ", maxSplits: 1).map(String.init)
        let kind = parts.count == 2 ? CacheKind(rawValue: String(parts[1].dropFirst().dropLast())) : nil
        if parts.count == 2, kind == nil {
            throw ValidationError("Found \"\(id)\", expected an id such as a/b/c, or \"a/b/c [shared]\"")
        }
        return (try Self.resolved(parts.first ?? "", among: ids), kind)
    }

    /// Returns the id with this name, otherwise the only one that ends with it.
    private static func resolved(_ name: String, among ids: [String]) throws -> String {
        if ids.contains(name) { return name }
        let candidates = ids.filter { $0.hasSuffix("/" + name) }
        if candidates.count == 1 { return candidates[0] }
        if candidates.count > 1 {
            let some = candidates.prefix(5).joined(separator: ", ")
            throw ValidationError("\(candidates.count) scenarios end with \"\(name)\": \(some)")
        }
        let nearest = SimilarID.all(resembling: name, among: ids).first.map { " Did you mean \($0)?" } ?? ""
        throw ValidationError("No scenario has the id \"\(name)\".\(nearest)")
    }

    /// Returns the command that gives the details of a scenario.
    static func line(
        id: String,
        scenarios: [String],
        _ subject: SubjectOptions,
        _ rules: RuleOptions,
        _ deviations: [String]
    ) -> String {
        let paths = scenarios == usualPaths ? [] : scenarios.flatMap { ["--scenarios", $0] }
        let words =
            ["cachecheck", "why", id] + subject.words + paths + rules.words
            + deviations.flatMap { ["--deviation", $0] }
        return ShellWord.line(words)
    }
}
