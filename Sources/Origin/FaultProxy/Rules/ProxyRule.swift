import OriginScript

/// Which requests are changed on their way, and how.
struct ProxyRule: Sendable {
    /// Which requests match; has as many placeholders for answers as `answers` has members.
    var route: Route
    /// The responses to its requests, in order; never empty.
    var answers: [RuleAnswer]
    /// The conditions under which a response is changed; by default none.
    var response = ResponseMatch()
    /// The numbers, from 1, of the rule's requests that are affected; `nil` is all.
    var requests: ClosedRange<Int>?
    /// The probability at each request; default 1.
    var chance = 1.0
}

/// What happens to a request.
enum RuleAnswer: Sendable {
    /// It is passed on, and its response is changed.
    case pass(Passing)
    /// It is answered without the upstream.
    case own(Answer)
}

/// Conditions on a response of the upstream.
struct ResponseMatch: Sendable, Hashable {
    /// Its status; empty is every one.
    var statuses: [ClosedRange<Int>] = []
    /// Its media type, such as `image/*`; `nil` is every one.
    var type: String?
    /// Its fields.
    var fields: [NamedMatch] = []

    /// Whether a response is as asked.
    func holds(for head: ResponseHead) -> Bool {
        if !statuses.isEmpty, !statuses.contains(where: { $0.contains(head.status) }) { return false }
        if let type, !Self.matches(head.raw.values("Content-Type").first, type) { return false }
        return fields.allSatisfy { match in
            let values = head.raw.values(match.name)
            return match.holds(for: values.isEmpty ? [] : [values.joined(separator: ", ")])
        }
    }

    private static func matches(_ value: String?, _ type: String) -> Bool {
        guard let value else { return false }
        let own = value.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type.hasSuffix("/*") ? own.hasPrefix(type.dropLast()) : own == type
    }
}

/// How a response of the upstream is changed on its way.
struct Passing: Sendable, Hashable {
    /// Another status.
    var status: Int?
    /// Field lines that take the place of those of the same names.
    var fields: [FieldLine] = []
    /// Names of fields that are removed.
    var removed: [String] = []
    /// Content in place of the upstream's.
    var body: [UInt8]?
    /// Broken cache metadata.
    var violations: Set<PassViolation> = []
    /// Faults of the request's content and of the response, also those of `delay`, `rate` and `stall`.
    var faults: [Fault] = []

    /// The content in place of the upstream's: also none, for a status that has none.
    var content: [UInt8]? { status == 204 || status == 304 ? [] : body }

    /// Whether the bytes of the response's head or content differ from the upstream's.
    var changesMessage: Bool {
        status != nil || !fields.isEmpty || !removed.isEmpty || body != nil || !violations.isEmpty
    }
}

/// How a response misleads caches.
enum PassViolation: String, Sendable, Hashable, CaseIterable {
    /// RFC 9110 §15.4.5: a 304 lacks the fields that a 200 would have.
    case notModifiedWithoutFields = "304-without-fields"
    /// RFC 9110 §15.4.5: a 304 has another entity tag than the one that matched.
    case notModifiedWithOtherETag = "304-with-other-etag"
    /// RFC 9110 §8.8.3: every response for a target has the entity tag of the first.
    case sameETag = "same-etag"
    /// RFC 9110 §12.5.5: no `Vary`.
    case withoutVary = "without-vary"
    /// RFC 9111 §5.1: `Age` is 0 although the response has an age.
    case zeroAge = "zero-age"
    /// RFC 9111 §5.1: `Age` is a day although the response is new.
    case ageOfADay = "age-of-a-day"
    /// RFC 9110 §6.6.1: `Date` is an hour ago.
    case dateInPast = "date-in-past"
    /// RFC 9110 §6.6.1: `Date` is in an hour.
    case dateInFuture = "date-in-future"
}
