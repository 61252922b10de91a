import CacheSemantics
import Conformance
import Scenarios

/// `same-seed`: how many different logs of the wire 100 runs of one seed give, with 1 and with 64 workers.
enum SeedBench {
    static func run() throws -> Figure {
        let suite = try ScenarioDecoder.decode(text: scenarios, path: "scenarios/bench/seed.yaml")
        var logs: Set<String> = []
        for number in 0..<100 { logs.insert(try wire(suite, jobs: number.isMultiple(of: 2) ? 1 : 64)) }
        return Figure(
            name: "same-seed",
            value: Double(logs.count),
            unit: "logs",
            goal: .atMost(1),
            note: "100 runs of \(count) scenarios with 1 and 64 workers"
        )
    }

    private static let count = 64

    private static func wire(_ suite: Suite, jobs: Int) throws -> String {
        var options = RunOptions()
        (options.seed, options.jobs, options.keepsWire) = (7, jobs, true)
        var wires: [String: String] = [:]
        _ = try Runner([suite], options: options, version: "bench").run { event in
            if case .scenarioFinished(let result) = event { wires[result.name] = result.wire }
        }
        return wires.sorted { $0.key < $1.key }.map { $0.key + "\n" + $0.value }.joined()
    }

    private static let scenarios =
        """
        suite: Seed
        defaults: {level: check, rules: [rfc9111.4.2.fresh], cache: [private]}
        scenarios:
        """
        + (1...count).map { number in
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
