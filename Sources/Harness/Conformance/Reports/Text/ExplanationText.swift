import CacheSemantics
package import Explanation
import HTTPTypes
package import JSON

/// An explanation as lines and as JSON, which the command and the reports share.
package enum ExplanationText {
    /// Returns the advice to the author of the response, problems first, then the statements by topic.
    package static func lines(_ explanation: ExchangeExplanation) -> [String] {
        var lines = advice(explanation)
        for topic in Statement.Topic.allCases {
            let statements = explanation.statements.filter { $0.topic == topic }
            guard !statements.isEmpty else { continue }
            lines.append(title(topic))
            lines += statements.map { "  \($0.sentence)  (\($0.section))" }
        }
        return lines
    }

    /// Returns the advice to the author of the response, problems first; empty if there is none.
    package static func advice(_ explanation: ExchangeExplanation) -> [String] {
        if explanation.advice.isEmpty { return [] }
        let weights = Advice.Weight.allCases
        return ["Advice for the response's author"]
            + weights.flatMap { weight in explanation.advice.filter { $0.weight == weight } }
            .map { "  \($0.weight.rawValue): \($0.sentence)  (\($0.section))" }
    }

    /// Returns one object.
    package static func json(_ explanation: ExchangeExplanation) -> JSONValue {
        .object([
            ("storable", .bool(explanation.isStorable)),
            ("lifetime", explanation.lifetime.map(json) ?? .null),
            ("age", explanation.age.map(json) ?? .null),
            ("outcome", explanation.isStorable ? .string(explanation.outcome.rawValue) : .null),
            ("validation", .array(explanation.conditions.map { JSONValue([$0.name.rawName, $0.value]) })),
            ("statements", .array(explanation.statements.map(json))),
            ("advice", .array(explanation.advice.map(json))),
            ("findings", .array(explanation.findings.map(json))),
        ])
    }

    static func title(_ topic: Statement.Topic) -> String {
        switch topic {
        case .storing: "Storing"
        case .key: "Key"
        case .lifetime: "Freshness"
        case .age: "Age"
        case .use: "Use"
        case .validation: "Validation"
        case .staleUse: "Stale use"
        case .nearest: "Nearest stored response"
        }
    }

    private static func json(_ terms: LifetimeTerms) -> JSONValue {
        .object([("seconds", .integer(Int(terms.seconds))), ("source", .string(terms.source.rawValue))])
    }

    private static func json(_ terms: AgeTerms) -> JSONValue {
        .object([
            ("seconds", .integer(Int(terms.sum))), ("apparent", .integer(Int(terms.apparent))),
            ("corrected", .integer(Int(terms.corrected))), ("resident", .integer(Int(terms.resident))),
        ])
    }

    private static func json(_ statement: Statement) -> JSONValue {
        .object([
            ("topic", .string(statement.topic.rawValue)), ("sentence", .string(statement.sentence)),
            ("section", .string(statement.section)), ("rule", JSONValue(statement.rule)),
        ])
    }

    private static func json(_ advice: Advice) -> JSONValue {
        .object([
            ("id", .string(advice.id)), ("weight", .string(advice.weight.rawValue)),
            ("sentence", .string(advice.sentence)), ("section", .string(advice.section)),
        ])
    }

    private static func json(_ finding: Finding) -> JSONValue {
        .object([
            ("rule", .string(finding.rule.rawValue)), ("section", .string(finding.rule.section)),
            ("held", .bool(finding.held)), ("detail", .string(finding.detail)),
        ])
    }
}
