import MockOrigin
import OriginScript

/// Writes the random fault decisions: the seed, then one decision a line, ordered by scenario and request.
public struct DecisionReporter: Reporter {
    private let seed: UInt64

    /// Creates the log of a run with a seed.
    public init(seed: UInt64) {
        self.seed = seed
    }

    /// Returns the lines that an event adds.
    public mutating func text(for event: RunEvent) -> String {
        switch event {
        case .runStarted: DecisionLog(seed: seed).text
        case .scenarioFinished(let result): result.decisions.map { "\($0)\n" }.joined()
        case .runFinished: ""
        }
    }
}

/// Writes the bytes of the connections: each scenario's exchanges, ordered by the requests' labels.
public struct WireReporter: Reporter {
    /// Creates an empty log.
    public init() {}

    /// Returns the lines that an event adds.
    public mutating func text(for event: RunEvent) -> String {
        guard case .scenarioFinished(let result) = event else { return "" }
        return "=== \(result.name)\n" + result.wire
    }
}
