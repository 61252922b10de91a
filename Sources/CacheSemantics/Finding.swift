/// A rule and whether it held at one decision, with the numbers it used.
public struct Finding: Sendable, Hashable {
    /// The rule.
    public let rule: Rule
    /// Whether it allowed what was asked.
    public let held: Bool
    /// One sentence with the numbers: "age 61 s, lifetime 60 s from max-age".
    public let detail: String

    /// Creates a finding.
    public init(_ rule: Rule, held: Bool, _ detail: String) {
        self.rule = rule
        self.held = held
        self.detail = detail
    }
}
