/// A reporter of one document, which keeps the results until the run ends.
protocol PageReporter: Reporter {
    /// The run's description; set when a run starts.
    var run: RunDescription { get set }
    /// The results that are shown, in the order in which they ended.
    var results: [ScenarioResult] { get set }
    /// Returns whether a result is shown.
    func includes(_ result: ScenarioResult) -> Bool
    /// Returns the document.
    func page(_ summary: RunSummary) -> String
}

extension PageReporter {
    mutating func text(for event: RunEvent) -> String {
        switch event {
        case .runStarted(let run): self.run = run
        case .scenarioFinished(let result): if includes(result) { results.append(result) }
        case .runFinished(let summary): return page(summary)
        }
        return ""
    }

    func includes(_ result: ScenarioResult) -> Bool { true }
}
