import CacheSemantics
import Conformance
import LocatedYAML
import MockOrigin
import Scenarios
import StackScenarios

/// `same-seed`: the number of different wire logs of many runs with one seed, with 1 and with 64 workers.
///
/// All scenarios of `scenarios/` are run, and some that make many random decisions.
enum SeedBench {
    static func run(_ options: Options) throws -> Figure {
        let suites = try suites()
        var digests: Set<String> = []
        var first: [String: String] = [:]
        for number in 0..<options.seedRuns {
            let wires = try wires(suites, jobs: number.isMultiple(of: 2) ? 1 : 64)
            if first.isEmpty { first = wires }
            let log = wires.sorted { $0.key < $1.key }.map { $0.key + "\n" + $0.value }.joined()
            if digests.insert(HexDigest.sha256(Array(log.utf8))).inserted, number > 0 { report(first, wires) }
        }
        let count = suites.reduce(0) { $0 + $1.scenarios.count }
        let runs = "\(options.seedRuns) runs of \(count) scenarios with 1 and 64 workers"
        return Figure(.sameSeed, Double(digests.count), note: "\(runs), SHA-256 \(digests.min() ?? "")")
    }

    private static func suites() throws(Failure) -> [Suite] {
        do throws(YAMLProblems) {
            let drawn = try ScenarioDecoder.decode(text: scenarios, path: "scenarios/bench/seed.yaml")
            return try ScenarioLibrary.load(paths: ["scenarios"], language: .withStack()).suites + [drawn]
        } catch {
            throw Failure(status: 65, text: error.description)
        }
    }

    /// Reports the differences between a run's log and the first: the scenarios, each with its first different line.
    private static func report(_ first: [String: String], _ other: [String: String]) {
        for name in first.keys.sorted() where first[name] != other[name] {
            let lines = [first, other].map {
                ($0[name] ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            }
            let place = zip(lines[0], lines[1]).enumerated().first { $1.0 != $1.1 }
            let pair = place?.element ?? ("\(lines[0].count) lines", "\(lines[1].count) lines")
            complain(
                "same-seed: \(name), line \((place?.offset ?? 0) + 1): \"\(pair.0)\", then \"\(pair.1)\""
            )
        }
    }

    /// Returns the bytes of the connections, in the order of the requests' labels, by the scenarios' names.
    private static func wires(_ suites: [Suite], jobs: Int) throws -> [String: String] {
        var options = RunOptions()
        (options.seed, options.jobs, options.recordsWireBytes) = (7, jobs, true)
        var wires: [String: String] = [:]
        _ = try Runner(suites, options: options, version: "bench").run { event in
            if case .scenarioFinished(let result) = event { wires[result.name] = result.wire }
        }
        return wires
    }

    private static let scenarios =
        """
        suite: Seed
        defaults: {level: check, rules: [rfc9111.4.2.fresh], cache: [private]}
        scenarios:
        """
        + (1...64).map { number in
            """

              - id: random-\(number)
                title: Random faults
                faults:
                  - {at: before-head, do: {delay: 1s..2s}}
                  - {at: body, byte: 0..20, do: reset, chance: 50%}
                  - {at: before-head, do: {garbage: 5}, chance: 20%}
                origin:
                  - answer: {fields: {Cache-Control: no-store}, body: "01234567890123456789"}
                steps:
                  - parallel:
                      - request: {path: /a}
                      - request: {path: /b}
            """
        }.joined()
}
