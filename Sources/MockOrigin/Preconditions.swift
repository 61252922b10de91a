import HTTPServing

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
    var entityTag: EntityTag?
    var lastModified: HTTPMoment?
    var now: HTTPMoment

    /// Evaluates in the order of RFC 9110 §13.2.2.
    func evaluate(method: String, fields: [ServedField]) -> Outcome {
        if let value = fields.combined(FieldName.ifMatch) {
            if !ifMatch(EntityTagCondition(value)) { return .failed }
        } else if let date = moment(fields, FieldName.ifUnmodifiedSince), let lastModified {
            if lastModified > date { return .failed }
        }
        let isRead = method == "GET" || method == "HEAD" || method == "QUERY"
        if let value = fields.combined(FieldName.ifNoneMatch) {
            if ifNoneMatch(EntityTagCondition(value)) { return .holds }
            return isRead ? .notModified : .failed
        }
        // §13.1.3: ignored when If-None-Match is there, with other methods, and without a modification date.
        guard isRead, let date = moment(fields, FieldName.ifModifiedSince), let lastModified else {
            return .holds
        }
        return lastModified <= date ? .notModified : .holds
    }

    private func ifMatch(_ condition: EntityTagCondition) -> Bool {
        switch condition {
        case .any: true
        case .list(let tags): entityTag.map { mine in tags.contains { $0.matchesStrongly(mine) } } ?? false
        }
    }

    private func ifNoneMatch(_ condition: EntityTagCondition) -> Bool {
        switch condition {
        case .any: false
        case .list(let tags): entityTag.map { mine in !tags.contains { $0.matchesWeakly(mine) } } ?? true
        }
    }

    /// An invalid date is as no field; more than one line makes it invalid.
    private func moment(_ fields: [ServedField], _ name: String) -> HTTPMoment? {
        fields.combined(name).flatMap { HTTPMoment(reading: $0, now: now) }
    }
}
