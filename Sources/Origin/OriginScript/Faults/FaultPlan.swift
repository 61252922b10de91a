/// What goes wrong with a whole origin, and how it is drawn.
public struct FaultPlan: Sendable, Hashable {
    /// Faults of every request and connection, besides those of its answer.
    public var faults: [Fault]
    /// The run's seed; default 0.
    public var seed: UInt64
    /// What the draws are for: the scenario's id, or the server's name.
    public var scope: String

    /// Creates a plan; by default nothing goes wrong but what answers say.
    public init(faults: [Fault] = [], seed: UInt64 = 0, scope: String = "") {
        self.faults = faults
        self.seed = seed
        self.scope = scope
    }

    /// The faults of requests and answers.
    public var ofRequests: [Fault] { faults.filter { !$0.event.isOfConnection } }

    /// The faults of connections, but for refusals.
    public var ofConnections: [Fault] {
        faults.filter { $0.event.isOfConnection && $0.action != .refuse }
    }

    /// When nobody listens.
    public var outages: [FaultWindow] {
        faults.filter { $0.action == .refuse }.map(\.window)
    }
}
