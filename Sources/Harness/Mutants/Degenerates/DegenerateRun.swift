package import Conformance
package import Scenarios

/// Runs every scenario against the degenerate clients, to find those that prove nothing.
package struct DegenerateRun: Sendable {
    private let suites: [Suite]
    private let clients: [DegenerateClient]
    private let jobs: Int

    /// Creates a run of the scenarios in `suites`, at most `jobs` at a time.
    ///
    /// Steps of extensions and of a gateway are performed by separate clients; scenarios with such steps are left out.
    package init(
        _ suites: [Suite],
        against clients: [DegenerateClient] = DegenerateClient.allCases,
        jobs: Int = 1
    ) {
        self.suites = suites
        self.clients = clients
        self.jobs = jobs
    }

    /// Runs them; blocks the calling thread.
    package func run() throws(RunnerError) -> DegenerateSummary {
        let executor = try MutantExecutor()
        defer { executor.close() }
        var summary = DegenerateSummary()
        for client in clients {
            let results = executor.runAll(
                suites,
                client.decoration,
                label: client.rawValue,
                jobs: jobs
            ) { $0.isTakenByTheClient }
            summary.add(results, of: client, suites)
        }
        return summary
    }
}

extension Scenario {
    /// Whether every step is taken by the client that is decorated.
    fileprivate var isTakenByTheClient: Bool { allSteps.allSatisfy(\.isTakenByTheClient) }
}

extension Step {
    fileprivate var isTakenByTheClient: Bool {
        switch self {
        case .added, .gateway: false
        default: true
        }
    }
}
