import HTTPServing

/// A conditional field, or `Range`, of a request, with its outcome.
struct Condition: Hashable, Sendable {
    var field: String
    var value: String
    var outcome: String

    private static let names = [
        FieldName.ifMatch, FieldName.ifUnmodifiedSince, FieldName.ifNoneMatch, FieldName.ifModifiedSince,
        FieldName.ifRange, FieldName.range,
    ]

    /// Returns the conditional fields of a request in the order of evaluation of RFC 9110 §13.2.2.
    ///
    /// The outcomes follow from the response, so that they show violations.
    static func conditions(of entry: RecordedExchange) -> [Condition] {
        let fields = entry.request.fields
        return names.compactMap { name in
            guard let value = fields.combined(name) else { return nil }
            return Condition(field: name, value: value, outcome: outcome(name, value, entry))
        }
    }

    private static func outcome(_ name: String, _ value: String, _ entry: RecordedExchange) -> String {
        let request = entry.request.fields
        guard let status = entry.status else { return "no response" }
        switch name {
        case FieldName.ifMatch: return status == 412 ? "failed" : "holds or is not evaluated"
        case FieldName.ifUnmodifiedSince where request.combined(FieldName.ifMatch) != nil:
            return "not evaluated, because of \(FieldName.ifMatch)"
        case FieldName.ifUnmodifiedSince: return status == 412 ? "failed" : "holds or is not evaluated"
        case FieldName.ifNoneMatch: return ifNoneMatch(value, status, entry)
        case FieldName.ifModifiedSince where request.combined(FieldName.ifNoneMatch) != nil:
            return "not evaluated, because of \(FieldName.ifNoneMatch)"
        case FieldName.ifModifiedSince:
            return status == 304 ? "not modified since" : "modified since, or no date"
        case FieldName.ifRange:
            return status == 206 ? "holds: the range is sent" : "does not hold: no range is sent"
        default: return range(status)
        }
    }

    private static func ifNoneMatch(_ value: String, _ status: Int, _ entry: RecordedExchange) -> String {
        if status == 304 { return "matches: not modified" }
        if status == 412 { return "matches: failed" }
        guard let current = entry.answerFields.combined(FieldName.entityTag).flatMap({ EntityTagValue($0) })
        else {
            return "nothing to compare with: the response has no \(FieldName.entityTag)"
        }
        let matches =
            switch EntityTagCondition(value) {
            case .any: true
            case .list(let tags): tags.contains { $0.matchesWeakly(current) }
            }
        return matches ? "matches, but is not evaluated" : "does not match: the current response is sent"
    }

    private static func range(_ status: Int) -> String {
        switch status {
        case 206: "the range is sent"
        case 416: "outside of the content"
        default: "not evaluated"
        }
    }
}
