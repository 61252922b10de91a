/// A report that is one document: what it tells of is kept until the run is over.
protocol PageReporter: Reporter {
    /// What began; set when a run starts.
    var run: RunDescription { get set }
    /// What is told of, in the order in which it ended.
    var results: [ScenarioResult] { get set }
    /// Returns whether a result is told of.
    func tells(_ result: ScenarioResult) -> Bool
    /// Returns the document.
    func page(_ summary: RunSummary) -> String
}

extension PageReporter {
    mutating func text(for event: RunEvent) -> String {
        switch event {
        case .runStarted(let run): self.run = run
        case .scenarioFinished(let result): if tells(result) { results.append(result) }
        case .runFinished(let summary): return page(summary)
        }
        return ""
    }

    func tells(_ result: ScenarioResult) -> Bool { true }
}
