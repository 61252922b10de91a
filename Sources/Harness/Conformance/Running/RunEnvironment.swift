import PublicSuite

/// The servers and subjects of a run, started only if its items use them.
struct RunEnvironment {
    private let workshop: ScenarioExecutor?
    private let suiteWorkshop: SuiteTestExecutor?
    private let outsideWorkshop: ExternalScenarioExecutor?
    private let outsideRun: SuiteOutsideRun?

    init(_ options: RunOptions, _ plan: RunPlan, _ suitePlan: SuitePlan) throws(RunnerError) {
        let hasTests = !suitePlan.items.isEmpty
        if options.subject == .builtin {
            workshop = plan.items.isEmpty ? nil : try ScenarioExecutor(options)
            suiteWorkshop = hasTests ? try SuiteTestExecutor(options) : nil
            (outsideWorkshop, outsideRun) = (nil, nil)
        } else {
            (workshop, suiteWorkshop) = (nil, nil)
            outsideWorkshop = plan.items.isEmpty ? nil : try ExternalScenarioExecutor(options)
            outsideRun = hasTests ? try SuiteOutsideRun(options) : nil
        }
    }

    /// The function that runs one scenario; `nil` if the run has no scenarios.
    var runScenario: (@Sendable (RunPlan.Item) -> ScenarioResult)? { workshop?.run ?? outsideWorkshop?.run }

    /// Runs tests of the public suite.
    func runSuites(_ items: [SuitePlan.Item]) -> [SuiteOutcome] {
        suiteWorkshop?.run(items) ?? outsideRun?.run(items) ?? []
    }

    func close() {
        workshop?.close()
        outsideWorkshop?.close()
        suiteWorkshop?.close()
        outsideRun?.close()
    }
}
