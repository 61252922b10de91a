import ArgumentParser
import CacheSemantics
import CLibrary
import Conformance
import Mutants
import Scenarios

/// `cachecheck mutants`.
struct MutantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutants",
        abstract: "Test the scenarios: run caches with one defect each, and report which scenarios notice.",
        discussion: """
            Each mutant is the built-in cache with a decorated engine, store or transport that has one defect. The \
            scenarios for the rules that it breaks run against it until one fails for each rule (kills it). The intact \
            cache must pass all of them, and every required rule of RFC 9111 must have a killer.

            With --degenerate, every scenario runs against four clients that are not working caches: one that never stores, \
            one that serves everything forever, one that always validates, one that responds 500. Each pass needs a \
            reason in the scenario (passes-for).

            Exit status: 0 as expected, 1 a mutant survives, a rule has no killer or a degenerate client passes, 64 usage, 65 a bad file, 69 a \
            server could not be started.
            """
    )

    @Option(help: "Run only mutants whose names match; * and ? are wildcards. May be repeated.")
    var filter: [String] = []

    @Option(help: "Number of mutants that run concurrently; default: the number of cores.")
    var jobs: Int?

    @Option(help: ArgumentHelp("Report format: \(ReportRequest<PageFormat>.names).", valueName: "KIND"))
    var report = PageFormat.text

    @Flag(help: "Run every scenario for a mutant's rules, and list all that notice.")
    var all = false

    @Flag(help: "List the mutants and the rules they break, without running anything.")
    var list = false

    @Flag(help: "Run every scenario against the degenerate clients instead.")
    var degenerate = false

    @Option(
        help: ArgumentHelp(
            "For each rule of the documents, find a mutant that one of its scenarios notices, and add it to this record.",
            valueName: "FILE"
        )
    )
    var violations: String?

    @Option(help: "Folder of scenarios.")
    var scenarios = "scenarios"

    func validate() throws {
        try demandPossibleJobs(jobs)
        let reporting = [("--all", all), ("--report", report != .text)]
        if list {
            let others = [("--violations", violations != nil), ("--degenerate", degenerate)]
            try refuse(reporting + others, with: "--list")
        }
        if degenerate {
            let others = [("--violations", violations != nil), ("--filter", !filter.isEmpty)]
            try refuse(reporting + others, with: "--degenerate")
        }
        if violations != nil { try refuse(reporting, with: "--violations") }
    }

    func run() throws {
        let patterns = filter.map(GlobPattern.init)
        let mutants = Mutant.all.filter { mutant in
            patterns.isEmpty || patterns.contains { $0.matches(mutant.id) }
        }
        if mutants.isEmpty { throw ValidationError("No mutant is selected") }
        if list { return printList(mutants) }
        if degenerate { return try runDegenerates() }
        if let violations { return try findViolations(mutants, violations) }
        try run(mutants)
    }

    private func run(_ mutants: [Mutant]) throws {
        let library = try loadScenarios([scenarios])
        var options = MutantRun.Options()
        options.jobs = usedJobs
        options.findsAllKillers = all
        let summary = try orStop(ExitStatus.unavailable) {
            try MutantRun(mutants, library.suites, options: options).run()
        }
        let report = MutantReport(summary, coversRules: filter.isEmpty)
        print(report.text(self.report), terminator: "")
        if !report.isGood { throw ExitCode(1) }
    }

    private var usedJobs: Int { jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    private func runDegenerates() throws {
        let library = try loadScenarios([scenarios])
        let summary = try orStop(ExitStatus.unavailable) {
            try DegenerateRun(library.suites, jobs: usedJobs).run()
        }
        print(summary.text, terminator: "")
        if !summary.isGood { throw ExitCode(1) }
    }

    /// Updates the record at `path` and removes rules that no longer exist.
    private func findViolations(_ mutants: [Mutant], _ path: String) throws {
        let library = try loadScenarios([scenarios])
        let rules = try scenarioLanguage().catalogue.rules.filter { $0.verdict != nil && $0.isViolable }
        var record = try Self.record(at: path)
        try requireWritable(path)
        record.byRule = record.byRule.filter { id, _ in rules.contains { $0.id == id } }
        let missing = rules.map(\.id).filter { record.byRule[$0] == nil }
        try orStop(ExitStatus.unavailable) {
            let found = try ViolationRun(mutants, library.suites, jobs: usedJobs).run(missing)
            record.byRule.merge(found) { known, _ in known }
        }
        try write(record.text, to: path)
        print("\(record.byRule.count) of \(rules.count) rules have a mutant that one of their checks notices")
    }

    /// Reads a record; a missing file is an empty record.
    ///
    /// Throws if the file is not a record, so that it is not overwritten.
    private static func record(at path: String) throws -> RuleViolations {
        guard access(path, F_OK) == 0 else { return RuleViolations() }
        let text = try requiredText(path)
        guard text.isEmpty || text.hasPrefix(RuleViolations.head) else {
            let found = "\(path) is not a record of violations, so it is not overwritten"
            throw stop(
                "\(found): expected a new file, or one that --violations has written",
                ExitStatus.badFile
            )
        }
        return RuleViolations(text: text)
    }

    private func printList(_ mutants: [Mutant]) {
        for mutant in mutants {
            print("\(mutant.id): \(mutant.defect)\n  breaks \(mutant.rules.joined(separator: ", "))")
        }
    }
}
