import ReportFormats

/// The events that reporters receive, in this order: one start, the results in the order of the files, one end.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum RunEvent: Sendable {
    /// The run starts.
    case runStarted(RunDescription)
    /// A scenario has ended with a verdict.
    case scenarioFinished(ScenarioResult)
    /// The run has ended.
    case runFinished(RunSummary)

    /// The event without the bytes of the connections.
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
    /// The way it is reached: `loopback`, `direct` or, outside the process, `network`.
    public var transport: String
    static let outside = "network"
    /// The number of results to come.
    public var count: Int
    /// The number as reports print it.
    var countText: String { counted(count, "scenario") }
    /// Whether there is a baseline, so that a failure that it does not list is a new one; default false.
    public var hasBaseline = false
    /// The part of a run whose results these are; default `nil`, a whole run.
    public var shard: Shard?

    /// Creates a description.
    public init(subject: String, transport: String, count: Int) {
        self.subject = subject
        self.transport = transport
        self.count = count
    }
}
