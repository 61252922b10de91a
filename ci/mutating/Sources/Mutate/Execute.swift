import ArgumentParser
import Foundation

/// Runs scenarios, then tests, against each mutant.
struct Execute: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the scenarios and the tests against each mutant."
    )

    @Option(help: "The mutants, as `instrument` has written them.") var list: String
    @Option(help: "Only mutants of files below this folder.") var folder: String
    @Option(help: "The program that runs scenarios with mutants.") var worker: String
    @Option(help: "The tests with the mutants.") var tests: String
    @Option(help: "A target of tests; none: only scenarios. May be repeated.") var testTarget: [String] = []
    @Option(help: "The folder of scenarios.") var scenarios: String
    @Option(help: "File of equivalent mutants: a key, a tab and the reason on each line.") var equivalent:
        String
    @Option(help: "The file of verdicts.") var verdicts: String
    @Flag(name: .customLong("continue"), help: "Keep the verdicts of the last run.") var continuing = false
    @Option(help: "How many mutants, drawn by the seed; default: all.") var sample: Int?
    @Option(help: "The seed of the sample, and of the order of the run.") var seed: UInt64 = 1
    @Option(help: "How many processes at once.") var jobs: Int
    @Option(help: "The folder of intermediate files.") var scratch: String

    func run() throws {
        let all = try JSONDecoder().decode([Mutant].self, from: Data(contentsOf: URL(fileURLWithPath: list)))
        let known = try EquivalentMutants(contentsOf: equivalent)
        let population = all.filter { $0.file.hasPrefix(folder + "/") && !known.contains($0) }
        let drawn = draw(from: population)
        let file = try VerdictFile(verdicts, of: all, continuing: continuing)
        var report = MutationReport(population: population.count)
        var rest: [Mutant] = []
        for mutant in drawn {
            if let verdict = file.known[mutant.id] {
                report.add(mutant, verdict)
            } else {
                rest.append(mutant)
            }
        }
        print("\(drawn.count) mutants in \(folder), \(drawn.count - rest.count) of them with a verdict")
        let last = all.map(\.id).max() ?? 0
        let table = try TrialTable(measuring: coveringWorker(last), mutants: last)
        let suites = try testSuites(last)
        tell("\(table.trials.count) trials of scenarios, \(suites.suites.count) suites of tests")
        for name in table.failing + suites.failing {
            tell("not used, since it fails without a mutant: \(name)")
        }
        try execute(rest, table, suites) { mutant, verdict in
            report.add(mutant, verdict)
            try file.add(mutant, verdict)
            if report.count.isMultiple(of: Self.interval) { tell(report.counts.joined(separator: "; ")) }
        }
        tell(report.text)
    }

    /// After how many mutants the counts are printed.
    private static let interval = 100

    private func tell(_ text: String) {
        print(text)
        fflush(nil)
    }

    /// The whole run has the order of the draw, so that what an interrupted run has done is a sample, too.
    private func draw(from all: [Mutant]) -> [Mutant] {
        var generator = SeededGenerator(state: seed)
        return Array(all.shuffled(using: &generator).prefix(sample ?? all.count))
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

    private func testSuites(_ count: Int) throws -> TestSuites {
        if testTarget.isEmpty { return TestSuites() }
        return try TestSuites(measuring: testTarget, of: tests, mutants: count, scratch: scratch)
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
