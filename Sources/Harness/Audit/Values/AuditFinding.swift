public import HTTPTypes
public import LocatedYAML

/// A rule's result for one response, before it is a finding about a URL.
package struct Observation: Sendable, Hashable {
    /// The identifier of the rule.
    package var rule: String
    /// One sentence without the full stop: what was found, with the values.
    package var message: String
    /// The consequence in a cache that stores the response, as a clause; `nil` if that is in `message`, or if it does not
    /// depend on a cache.
    package var effect: String?
    /// The section, where it is not that of the rule.
    package var section: String?
    /// The severity, where it is not that of the rule.
    package var severity: AuditRule.Severity?

    init(_ rule: String, _ message: String, effect: String? = nil, section: String? = nil) {
        self.rule = rule
        self.message = message
        self.effect = effect
        self.section = section
    }

    /// Returns the message with the effect; `isStored` is whether a cache stores the response.
    func message(isStored: Bool) -> String {
        guard !isStored, AuditRule.named(rule)?.unstoredSeverity != nil else {
            return message + (effect.map { ", so \($0)" } ?? "")
        }
        return message
            + "; no cache stores the response, so this concerns only clients that keep their own copies"
    }
}

/// A violation of a rule by one URL.
public struct AuditFinding: Sendable, Hashable {
    /// The identifier of the rule.
    package var rule: String
    /// The severity that applies to this finding.
    public package(set) var severity: AuditRule.Severity
    /// The URL; empty for a finding about the policy itself.
    public package(set) var url: String
    /// One sentence without the full stop.
    public package(set) var message: String
    /// The specification and section.
    public package(set) var section: String
    /// The changed fields of a response without the finding; empty if none is known.
    public package(set) var correction: [CorrectedField] = []
    /// The correction's effect on a cache; `nil` if there is none.
    public package(set) var gain: String?
    /// The place in the policy; `nil` if there is none.
    public package(set) var position: Position?
    /// The place of the policy's rule for its URL, or of what else names the URL; `nil` without a policy.
    package var rulePosition: Position?
    /// The reason why the policy ignores it; `nil` if it counts.
    public package(set) var ignored: String?

    /// The identifier of the rule.
    public var ruleID: AuditRuleID { AuditRuleID(rawValue: rule) }

    /// Where reports that need a place show it; `nil` for nowhere in a policy.
    package var place: Position? { position ?? rulePosition }

    /// Whether the finding counts, because neither a policy nor a baseline ignores it.
    public var counts: Bool { ignored == nil }
}

/// A field of a corrected response.
public struct CorrectedField: Sendable, Hashable {
    /// The name of the field.
    public let name: HTTPField.Name
    /// The value of its only line; `nil` if the field is to be removed.
    public let value: String?

    /// As in an instruction: `Vary: Accept-Encoding`, or `no Pragma`.
    public var text: String { value.map { "\(name.rawName): \($0)" } ?? "no \(name.rawName)" }
}
