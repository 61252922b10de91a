import PublicSuite

/// The servers and subjects of a run, started only if its items use them.
struct RunEnvironment {
    private let scenarioExecutor: ScenarioExecutor?
    private let suiteExecutor: SuiteTestExecutor?
    private let externalExecutor: ExternalScenarioExecutor?
    private let externalSuiteExecutor: ExternalSuiteExecutor?

    init(_ options: RunOptions, _ plan: RunPlan, _ suitePlan: SuitePlan) throws(RunnerError) {
        let hasTests = !suitePlan.items.isEmpty
        if options.subject == .builtin {
            scenarioExecutor = plan.items.isEmpty ? nil : try ScenarioExecutor(options)
            suiteExecutor = hasTests ? try SuiteTestExecutor(options) : nil
            (externalExecutor, externalSuiteExecutor) = (nil, nil)
        } else {
            (scenarioExecutor, suiteExecutor) = (nil, nil)
            externalExecutor = plan.items.isEmpty ? nil : try ExternalScenarioExecutor(options)
            externalSuiteExecutor = hasTests ? try ExternalSuiteExecutor(options) : nil
        }
    }

    /// The function that runs one scenario; `nil` if the run has no scenarios.
    var runScenario: (@Sendable (RunPlan.Item) -> ScenarioResult)? {
        scenarioExecutor?.run ?? externalExecutor?.run
    }

    /// Runs tests of the public suite.
    func runSuites(_ items: [SuitePlan.Item]) -> [SuiteOutcome] {
        suiteExecutor?.run(items) ?? externalSuiteExecutor?.run(items) ?? []
    }

    func close() {
        scenarioExecutor?.close()
        externalExecutor?.close()
        suiteExecutor?.close()
        externalSuiteExecutor?.close()
    }
}
