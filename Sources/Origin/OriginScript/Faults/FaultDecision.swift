/// One random decision.
public struct FaultDecision: Sendable, Hashable, CustomStringConvertible {
    /// The scenario's id, or the page or route.
    public var scope: String
    /// The request's label, or its method, target and number.
    public var request: String
    /// The fault: its position from 1, action and event.
    public var fault: String
    /// The decision: `chance no`, `byte 17`.
    public var outcome: String

    /// Creates a decision.
    public init(scope: String, request: String, fault: String, outcome: String) {
        self.scope = scope
        self.request = request
        self.fault = fault
        self.outcome = outcome
    }

    /// The subject of the decision, the same in every run.
    public var question: String { Self.question(ofLine: description) }

    /// Returns the subject of the decision in a line of a log: the line up to the first word after its last tab.
    public static func question(ofLine line: String) -> String {
        guard let tab = line.lastIndex(of: "\t") else { return line }
        return line[..<tab] + "\t" + line[line.index(after: tab)...].prefix { $0 != " " }
    }

    /// One line of the decision log, without its end.
    public var description: String { "\(scope)\t\(request)\t\(fault)\t\(outcome)" }
}
