/// The events that reporters receive, in this order: one start, the results in the order of the files, one end.
public enum RunEvent: Sendable {
    /// The run begins.
    case runStarted(RunDescription)
    /// One scenario has its verdict.
    case scenarioFinished(ScenarioResult)
    /// The run has ended.
    case runFinished(RunSummary)

    /// The event without what went over the connections.
    public var withoutWire: RunEvent {
        guard case .scenarioFinished(var result) = self else { return self }
        result.wire = ""
        return .scenarioFinished(result)
    }
}

/// A description of the run, reported before it begins.
public struct RunDescription: Sendable, Hashable {
    /// The subject with its version: `built-in client 0.1.0`.
    public var subject: String
    /// How it is reached: `loopback` or `direct`.
    public var transport: String
    /// How many results there will be.
    public var count: Int
    /// Whether there is a baseline, so that a failure that it does not name is a new one; default no.
    public var hasBaseline = false

    /// Creates a description.
    public init(subject: String, transport: String, count: Int) {
        self.subject = subject
        self.transport = transport
        self.count = count
    }
}
