import ArgumentParser
import Foundation

/// Runs scenarios, then tests, against each mutant.
struct Execute: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the scenarios and the tests against each mutant."
    )

    @Option(help: "The mutants, as `instrument` has written them.") var list: String
    @Option(help: "The program that runs scenarios with mutants.") var worker: String
    @Option(help: "The tests with the mutants; none: only scenarios.") var tests: String?
    @Option(
        help:
            "A target with mutants, and the test targets for them, as in `A=ATests BTests`; default: its own."
    )
    var suitesOf: [String] = []
    @Option(help: "The folder of scenarios.") var scenarios: String
    @Option(help: "File of equivalent mutants: a key, a tab and the reason on each line.") var equivalent:
        String
    @Option(help: "The folder of the files of verdicts, TARGET.verdicts.") var verdicts: String
    @Flag(name: .customLong("continue"), help: "Keep the verdicts of the last run.") var continuing = false
    // The whole run has the order of the draw, so that what an interrupted run has done is a sample, too.
    @OptionGroup var draw: MutantDraw
    @Option(help: "How many processes at once.") var jobs: Int
    @Option(help: "The folder of intermediate files.") var scratch: String
    @Argument(help: "The folders of the targets with mutants.") var folders: [String]

    func run() throws {
        let all = try JSONDecoder().decode([Mutant].self, from: Data(contentsOf: URL(fileURLWithPath: list)))
        let last = all.map(\.id).max() ?? 0
        let table = try TrialTable(measuring: coveringWorker(last), mutants: last)
        tell("\(table.trials.count) trials of scenarios")
        tellFailing(table.failing)
        for folder in folders { try run(folder, all, table) }
    }

    private func run(_ folder: String, _ all: [Mutant], _ table: TrialTable) throws {
        let target = folder.split(separator: "/").last.map(String.init) ?? folder
        let known = try EquivalentMutants(contentsOf: equivalent)
        let population = all.filter { $0.file.hasPrefix(folder + "/") && !known.contains($0) }
        let drawn = draw.drawn(from: population)
        let file = try VerdictFile("\(verdicts)/\(target).verdicts", of: all, continuing: continuing)
        var report = MutationReport(population: population.count)
        var rest: [Mutant] = []
        for mutant in drawn {
            if let verdict = file.known[mutant.id] {
                report.add(mutant, verdict)
            } else {
                rest.append(mutant)
            }
        }
        let suites = try testSuites(of: target, all.map(\.id).max() ?? 0)
        tell(
            """
            == \(target)
            \(drawn.count) mutants, \(drawn.count - rest.count) of them with a verdict; \
            \(suites.suites.count) suites of tests
            """
        )
        tellFailing(suites.failing)
        try execute(rest, table, suites) { mutant, verdict in
            report.add(mutant, verdict)
            try file.add(mutant, verdict)
            if report.count.isMultiple(of: Self.interval) { tell(report.counts.joined(separator: "; ")) }
        }
        tell(report.text)
    }

    private func tellFailing(_ names: [String]) {
        for name in names { tell("not used, since it fails without a mutant: \(name)") }
    }

    /// After how many mutants the counts are printed.
    private static let interval = 100

    private func tell(_ text: String) {
        print(text)
        fflush(nil)
    }

    private func coveringWorker(_ count: Int) throws -> WorkerProcess {
        let path = "\(scratch)/coverage"
        try Data(count: count + 1).write(to: URL(fileURLWithPath: path))
        return WorkerProcess(
            program: worker,
            scenarios: scenarios,
            environment: ["CACHECHECK_MUTANT_COVERAGE": path]
        )
    }

    private func testSuites(of target: String, _ count: Int) throws -> TestSuites {
        guard let tests else { return TestSuites() }
        return try TestSuites(
            measuring: testTargets(for: target),
            of: tests,
            mutants: count,
            scratch: scratch
        )
    }

    /// Returns the names of the test targets for the mutants of a target.
    private func testTargets(for target: String) -> [String] {
        guard let list = suitesOf.first(where: { $0.hasPrefix(target + "=") }) else {
            return [target + "Tests"]
        }
        return list.dropFirst(target.count + 1).split(separator: " ").map(String.init)
    }

    /// Runs the mutants on as many threads as there are jobs; `note` is called by one at a time.
    private func execute(
        _ mutants: [Mutant],
        _ table: TrialTable,
        _ suites: TestSuites,
        _ note: (Mutant, MutantVerdict) throws -> Void
    ) throws {
        let (program, scenarios) = (worker, scenarios)
        try ParallelQueue<Mutant, MutantVerdict>(mutants).run(jobs: jobs) {
            let trials = MutantTrials(table, suites) { mutant in
                WorkerProcess(
                    program: program,
                    scenarios: scenarios,
                    environment: ["CACHECHECK_MUTANT": String(mutant)]
                )
            }
            return { trials.verdict(on: $0) }
        } note: { mutant, verdict in
            try note(mutant, verdict)
        }
    }
}
