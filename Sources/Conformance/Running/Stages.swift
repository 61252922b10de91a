import PublicSuite

/// What a run needs to be started: of servers and subjects no more than its items use.
struct Stages {
    private let workshop: Workshop?
    private let suiteWorkshop: SuiteWorkshop?
    private let proxyWorkshop: ProxyWorkshop?
    private let proxyRun: SuiteProxyRun?

    init(_ options: RunOptions, _ plan: RunPlan, _ suitePlan: SuitePlan) throws(RunnerError) {
        let hasTests = !suitePlan.items.isEmpty
        switch options.subject {
        case .builtin:
            workshop = plan.items.isEmpty ? nil : try Workshop(options)
            suiteWorkshop = hasTests ? try SuiteWorkshop(options) : nil
            (proxyWorkshop, proxyRun) = (nil, nil)
        case .proxy(let url):
            (workshop, suiteWorkshop) = (nil, nil)
            proxyWorkshop = plan.items.isEmpty ? nil : try ProxyWorkshop(options, proxy: url)
            proxyRun = hasTests ? try SuiteProxyRun(options, proxy: url) : nil
        }
    }

    /// What runs one scenario; `nil` where there are none.
    var runScenario: (@Sendable (RunPlan.Item) -> ScenarioResult)? { workshop?.run ?? proxyWorkshop?.run }

    /// Runs tests of the public suite.
    func runSuites(_ items: [SuitePlan.Item]) -> [SuiteOutcome] {
        suiteWorkshop?.run(items) ?? proxyRun?.run(items) ?? []
    }

    func close() {
        workshop?.close()
        proxyWorkshop?.close()
        suiteWorkshop?.close()
        proxyRun?.close()
    }
}
