import HTTPServing
import OriginScript

/// The conditional fields of a request against the selected representation, RFC 9110 §13.
struct Preconditions {
    enum Outcome: Hashable {
        /// The method is performed.
        case holds
        /// 304, RFC 9110 §15.4.5.
        case notModified
        /// 412, RFC 9110 §15.5.13.
        case failed
    }
    var entityTag: EntityTagValue?
    var lastModified: HTTPTimestamp?
    var now: HTTPTimestamp
    /// Evaluations that are deliberately wrong.
    var violations: Set<Violation> = []

    /// Methods that select and modify no representation, and whose conditional fields are therefore ignored (RFC 9110 §13.2.1).
    private static let unconditionalMethods: Set = ["CONNECT", "OPTIONS", "TRACE"]

    /// Evaluates the fields in the order of RFC 9110 §13.2.2.
    func evaluate(method: String, fields: [ServedField]) -> Outcome {
        if Self.unconditionalMethods.contains(method) { return .holds }
        if let value = fields.combined(FieldName.ifMatch), !violations.contains(.ignoresIfMatch) {
            if !ifMatch(EntityTagCondition(value)) { return .failed }
        } else if let date = moment(fields, FieldName.ifUnmodifiedSince), let lastModified,
            !violations.contains(.ignoresIfUnmodifiedSince)
        {
            if lastModified > date { return .failed }
        }
        let isRead =
            method == "GET" || method == "HEAD" || method == "QUERY"
            || violations.contains(.notModifiedForEveryMethod)
        let since = isRead ? ifModifiedSince(fields) : nil
        if violations.contains(.lastModifiedBeforeETag), let since { return since }
        if let value = fields.combined(FieldName.ifNoneMatch), !violations.contains(.ignoresIfNoneMatch) {
            if ifNoneMatch(condition(value)) { return .holds }
            return isRead ? .notModified : .failed
        }
        return since ?? .holds
    }

    /// Evaluates If-Modified-Since; `nil` without a valid date or a modification date (RFC 9110 §13.1.3).
    ///
    /// The caller checks the other conditions.
    private func ifModifiedSince(_ fields: [ServedField]) -> Outcome? {
        guard !violations.contains(.ignoresIfModifiedSince),
            let date = moment(fields, FieldName.ifModifiedSince), let lastModified
        else { return nil }
        let isSame = violations.contains(.exactDateOnly) ? lastModified == date : lastModified <= date
        return isSame ? .notModified : .holds
    }

    private func condition(_ value: String) -> EntityTagCondition {
        switch EntityTagCondition(value) {
        case .any: violations.contains(.starAsTag) ? .list([]) : .any
        case .list(let tags): .list(violations.contains(.firstTagOnly) ? Array(tags.prefix(1)) : tags)
        }
    }

    private func ifMatch(_ condition: EntityTagCondition) -> Bool {
        switch condition {
        case .any: true
        case .list(let tags):
            entityTag.map { mine in
                tags.contains { tag in
                    violations.contains(.weakAsStrong) ? tag.matchesWeakly(mine) : tag.matchesStrongly(mine)
                }
            } ?? false
        }
    }

    private func ifNoneMatch(_ condition: EntityTagCondition) -> Bool {
        switch condition {
        case .any: false
        case .list(let tags):
            entityTag.map { mine in
                !tags.contains { tag in
                    violations.contains(.strongForIfNoneMatch)
                        ? tag.matchesStrongly(mine) : tag.matchesWeakly(mine)
                }
            } ?? true
        }
    }

    /// Returns the date in a field; an invalid date counts as no field, and more than one line makes it invalid.
    private func moment(_ fields: [ServedField], _ name: String) -> HTTPTimestamp? {
        fields.combined(name).flatMap { HTTPTimestamp(reading: $0, now: now) }
    }
}
