/// The faults of a whole origin, and the seed of their random decisions.
public struct FaultPlan: Sendable, Hashable {
    /// Faults of every request and connection, besides those of single answers.
    public var faults: [Fault]
    /// The run's seed; default 0.
    public var seed: UInt64
    /// The scope of random decisions: the scenario's id, or the server's name.
    public var scope: String

    /// Creates a plan, by default without faults.
    public init(faults: [Fault] = [], seed: UInt64 = 0, scope: String = "") {
        self.faults = faults
        self.seed = seed
        self.scope = scope
    }

    /// The faults of requests and answers.
    public var ofRequests: [Fault] { faults.filter { !$0.event.isOfConnection } }

    /// The faults of connections, except refusals.
    public var ofConnections: [Fault] {
        faults.filter { $0.event.isOfConnection && $0.action != .refuse }
    }

    /// The windows in which connections are refused.
    public var outages: [FaultWindow] {
        faults.filter { $0.action == .refuse }.map(\.window)
    }
}
