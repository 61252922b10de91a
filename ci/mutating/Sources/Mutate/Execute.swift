import ArgumentParser
import Foundation

/// Runs scenarios, then tests, against each mutant.
struct Execute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the scenarios and the tests against each mutant."
    )

    @Option(help: "The mutants, as `instrument` has written them.") var list: String
    @Option(help: "The program with the mutants.") var program: String
    @Option(help: "The tests with the mutants.") var tests: String
    @Option(help: "The target's tests, as a filter; none: only scenarios.") var filter: String?
    @Option(help: "The folder of scenarios.") var scenarios: String
    @Option(help: "File of equivalent mutants: a key, a tab and the reason on each line.") var equivalent:
        String
    @Option(help: "How many mutants, drawn by the seed; default: all.") var sample: Int?
    @Option(help: "The seed of the sample.") var seed: UInt64 = 1
    @Option(help: "How many processes at once.") var jobs: Int
    @Option(help: "The folder of intermediate files.") var scratch: String

    func run() async throws {
        let all = try JSONDecoder().decode([Mutant].self, from: Data(contentsOf: URL(fileURLWithPath: list)))
        let known = try EquivalentMutants(contentsOf: equivalent)
        let drawn = draw(from: all).filter { known.reason(for: $0) == nil }
        let suites = try await measured(try scenarioSuites(), mutants: all.count)
        let tests = try await measured(testSuites(), mutants: all.count)
        FileHandle.standardOutput.write(Data("\(drawn.count) of \(all.count) mutants\n".utf8))
        var report = MutationReport()
        for await (mutant, verdict) in verdicts(of: drawn, scenarios: suites, tests: tests) {
            report.add(mutant, verdict)
        }
        print(report.text)
    }

    private func draw(from all: [Mutant]) -> [Mutant] {
        guard let sample else { return all }
        var generator = SeededGenerator(state: seed)
        return all.shuffled(using: &generator).prefix(sample).sorted { $0.id < $1.id }
    }

    /// The scenario files, each to be run by itself at first.
    private func scenarioSuites() throws -> [Suite] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: scenarios).filter {
            $0.hasSuffix(".yaml")
        }
        guard !files.isEmpty else { throw MutationError.noScenarios(scenarios) }
        return files.sorted().map { file in
            Suite(
                name: file,
                program: program,
                arguments: ["run", "\(scenarios)/\(file)", "--strict", "--jobs", "1"]
            )
        }
    }

    private func testSuites() -> [Suite] {
        guard let filter else { return [] }
        let arguments = ["--testing-library", "swift-testing", "--filter", filter]
        return [Suite(name: filter, program: tests, arguments: arguments)]
    }

    /// The suites, quickest first, each with what it reaches.
    private func measured(_ suites: [Suite], mutants: Int) async throws -> [Suite] {
        try await concurrently(suites) { suite in
            var suite = suite
            try suite.measure(mutants: mutants, scratch: scratch)
            return suite
        }.sorted { $0.duration < $1.duration }
    }

    private func concurrently<Input: Sendable, Output: Sendable>(
        _ inputs: [Input],
        _ work: @escaping @Sendable (Input) throws -> Output
    ) async throws -> [Output] {
        try await withThrowingTaskGroup(of: Output.self) { group in
            var (rest, results) = (inputs[...], [Output]())
            for input in rest.prefix(jobs) { group.addTask { try work(input) } }
            rest = rest.dropFirst(jobs)
            while let result = try await group.next() {
                results.append(result)
                if let input = rest.popFirst() { group.addTask { try work(input) } }
            }
            return results
        }
    }

    private func verdicts(
        of mutants: [Mutant],
        scenarios: [Suite],
        tests: [Suite]
    ) -> AsyncStream<(Mutant, MutantVerdict)> {
        AsyncStream { continuation in
            Task {
                _ = try? await concurrently(mutants) { mutant in
                    continuation.yield((mutant, verdict(on: mutant, scenarios: scenarios, tests: tests)))
                }
                continuation.finish()
            }
        }
    }

    /// How many files are run by themselves, since most mutants are noticed soon, before all that reach the mutant run together.
    private static let separateFiles = 4

    private func verdict(on mutant: Mutant, scenarios: [Suite], tests: [Suite]) -> MutantVerdict {
        let reaching = scenarios.filter { $0.reached.contains(mutant.id) }
        do {
            for suite in reaching.prefix(Self.separateFiles) where try suite.notices(mutant.id) {
                return .byScenarios
            }
            for suite in together(reaching) where try suite.notices(mutant.id) { return .byScenarios }
            for suite in tests where suite.reached.contains(mutant.id) {
                if try suite.notices(mutant.id) { return .byTests }
            }
        } catch {
            return .notRun(String(describing: error))
        }
        return reaching.isEmpty ? .unreached : .survived
    }

    /// All files as one process; with and without an observer, since an observer disables shorter ways of the client.
    private func together(_ suites: [Suite]) -> [Suite] {
        guard !suites.isEmpty else { return [] }
        let files = suites.map { "\(scenarios)/\($0.name)" }
        return [[], ["--without-observer"]].map { more in
            Suite(
                name: "all",
                program: program,
                arguments: ["run"] + files + ["--strict", "--jobs", "1"] + more,
                duration: suites.map(\.duration).reduce(0, +)
            )
        }
    }
}

/// SplitMix64, so that a seed draws the same sample everywhere.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
