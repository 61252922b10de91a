import Conformance
package import Scenarios

/// Which scenarios the degenerate clients pass.
package struct DegenerateSummary: Sendable {
    /// A scenario that a degenerate client passes, or a declaration of it.
    package struct Pass: Sendable, Hashable {
        /// The client that the scenarios were run against.
        package let client: DegenerateClient
        /// The scenario's id with the kind of cache; without it for a declaration.
        package let name: String
    }
    /// The number of results.
    package private(set) var count = 0
    /// Passes that the scenario gives a reason for.
    package private(set) var declared: [Pass] = []
    /// Passes for which there is none.
    package private(set) var undeclared: [Pass] = []
    /// Declarations in scenarios that the client does not pass.
    package private(set) var stale: [Pass] = []
    /// Results that the harness could not judge.
    package private(set) var troubles: [String] = []

    /// Whether every pass is declared, and nothing else.
    package var isGood: Bool { undeclared.isEmpty && stale.isEmpty && troubles.isEmpty }

    mutating func add(_ results: [ScenarioResult], of client: DegenerateClient, _ suites: [Suite]) {
        count += results.count
        let scenarios = suites.flatMap(\.scenarios)
        let expected = Set(scenarios.filter { $0.passesFor[client] != nil }.map(\.id))
        let passed = results.filter { $0.verdict == .passed }
        for result in passed {
            let pass = Pass(client: client, name: result.name)
            if expected.contains(result.id) { declared.append(pass) } else { undeclared.append(pass) }
        }
        let unfulfilled = expected.intersection(results.map(\.id)).subtracting(passed.map(\.id))
        stale += scenarios.map(\.id).filter(unfulfilled.contains).map { Pass(client: client, name: $0) }
        troubles += results.compactMap { result in
            guard case .harnessError(let text) = result.verdict else { return nil }
            return "\(client.rawValue): \(result.name): \(text)"
        }
    }

    /// The report: what is not as it should be, a line each, then the totals.
    package var text: String {
        let lines =
            undeclared.map { "\($0.client.rawValue) passes \($0.name), which gives no reason for that" }
            + stale.map { "\($0.client.rawValue) does not pass \($0.name), which says that it does" }
            + troubles
        let totals = DegenerateClient.allCases.map { client in
            let named = declared.count { $0.client == client }
            let unnamed = undeclared.count { $0.client == client }
            return "\(client.rawValue): \(named) passes with a reason, \(unnamed) without"
        }
        return (lines + totals + ["\(count) results of degenerate clients"]).map { $0 + "\n" }.joined()
    }
}
