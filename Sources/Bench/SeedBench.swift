import CacheSemantics
import Conformance
import LocatedYAML
import MockOrigin
import Scenarios

/// `same-seed`: how many different logs of the wire many runs of one seed give, with 1 and with 64 workers.
///
/// All scenarios of `scenarios/` are run, and some in which much is drawn.
enum SeedBench {
    static func run(_ options: Options) throws -> Figure {
        let suites = try suites()
        var digests: Set<String> = []
        for number in 0..<options.seedRuns {
            digests.insert(try digest(suites, jobs: number.isMultiple(of: 2) ? 1 : 64))
        }
        let count = suites.reduce(0) { $0 + $1.scenarios.count }
        return Figure(
            name: "same-seed",
            value: Double(digests.count),
            unit: "logs",
            goal: .atMost(1),
            note: "\(options.seedRuns) runs of \(count) scenarios with 1 and 64 workers, "
                + "SHA-256 \(digests.min() ?? "")"
        )
    }

    private static func suites() throws(Failure) -> [Suite] {
        do throws(YAMLProblems) {
            let drawn = try ScenarioDecoder.decode(text: scenarios, path: "scenarios/bench/seed.yaml")
            return try ScenarioLibrary.load(paths: ["scenarios"]).suites + [drawn]
        } catch {
            throw Failure(status: 65, text: error.description)
        }
    }

    /// SHA-256 of what went over the connections, in the order of the scenarios' names and the requests' labels.
    private static func digest(_ suites: [Suite], jobs: Int) throws -> String {
        var options = RunOptions()
        (options.seed, options.jobs, options.keepsWire) = (7, jobs, true)
        var wires: [String: String] = [:]
        _ = try Runner(suites, options: options, version: "bench").run { event in
            if case .scenarioFinished(let result) = event { wires[result.name] = result.wire }
        }
        let log = wires.sorted { $0.key < $1.key }.map { $0.key + "\n" + $0.value }.joined()
        return Digest.sha256(Array(log.utf8))
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
