/// One thing that an audit checks.
public struct AuditRule: Sendable, Hashable {
    /// The weight of a finding.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Users get a wrong response, or another user's, or a requirement for correct reuse is violated.
        case error
        /// The response does not have the effect that it seems to have, or costs needless transfers.
        case warning
        /// An improvement that its author may have decided against.
        case advice

        /// Whether the left severity is listed first.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }
    /// The identifier: lower-case words joined by `-`.
    package let id: String
    /// The severity of its findings.
    public let severity: Severity
    /// The severity if no cache stores the response, so that only clients that keep their own copies are concerned; `nil`
    /// for the same one.
    public private(set) var unstoredSeverity: Severity?
    /// The defect that violates it, as a noun phrase.
    public let title: String
    /// The specification and section, as `RFC 9110 §13.1.2`.
    public let section: String
    /// At most 25 words of that section; empty for a rule that no specification states.
    public let requirement: String

    /// The identifier, as in findings.
    public var ruleID: AuditRuleID { AuditRuleID(rawValue: id) }

    init(
        _ id: String,
        _ severity: Severity,
        _ title: String,
        _ section: String,
        _ requirement: String = ""
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.section = section
        self.requirement = requirement
    }

    /// Returns the rule with another severity where no cache stores the response.
    func unstored(_ severity: Severity) -> AuditRule {
        var rule = self
        rule.unstoredSeverity = severity
        return rule
    }

    /// All rules: those of heads, then those of probes, of requests, of archives and of policies.
    public static let all = ofHeads + ofSites + ofProbes + ofRequests + ofRecorded + ofPolicies

    /// Returns the rule with an identifier; `nil` if there is none.
    package static func named(_ id: String) -> AuditRule? { byID[id] }

    /// Returns the rule with an identifier; `nil` if there is none.
    public static func named(_ id: AuditRuleID) -> AuditRule? { byID[id.rawValue] }

    private static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

    /// The page of the section, for reports that link to it.
    package var page: String {
        if section.hasPrefix("draft-") { return "https://datatracker.ietf.org/doc/html/\(section)" }
        let parts = section.split(separator: " ")
        guard parts.count >= 2, parts[0] == "RFC" else { return "https://www.rfc-editor.org/rfc/rfc9111" }
        let anchor = parts.count == 3 ? "#section-" + parts[2].drop { $0 == "§" } : ""
        return "https://www.rfc-editor.org/rfc/rfc\(parts[1])" + anchor
    }
}
