/// One thing that was drawn.
public struct FaultDecision: Sendable, Hashable, CustomStringConvertible {
    /// The scenario's id, or the page or route.
    public var scope: String
    /// The request's label, or its method, target and number.
    public var request: String
    /// Which fault, by its place from 1 and its event.
    public var fault: String
    /// What was decided: `chance no`, `byte 17`.
    public var outcome: String

    /// Creates a decision.
    public init(scope: String, request: String, fault: String, outcome: String) {
        self.scope = scope
        self.request = request
        self.fault = fault
        self.outcome = outcome
    }

    /// What the decision is about, the same in every run.
    public var question: String { Self.question(ofLine: description) }

    /// What the decision of a line of a log is about: all but what comes after the last tab's first word.
    public static func question(ofLine line: String) -> String {
        guard let tab = line.lastIndex(of: "\t") else { return line }
        return line[..<tab] + "\t" + line[line.index(after: tab)...].prefix { $0 != " " }
    }

    /// One line of the decision log, without its end.
    public var description: String { "\(scope)\t\(request)\t\(fault)\t\(outcome)" }
}
