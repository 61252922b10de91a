import LocatedYAML
import OriginScript

/// Which requests are changed on their way, and how.
struct ProxyRule: Sendable {
    /// Which requests match, and what they get.
    var route: Route
    /// The conditions under which a response is changed; by default none.
    var response = ResponseMatch()
    /// The numbers, from 1, of the rule's requests that are affected; `nil` is all.
    var requests: ClosedRange<Int>?
    /// The probability at each request; default 1.
    var chance = 1.0
    /// As it was written; `nil` for one that was made otherwise.
    var written: YAMLNode?
}

/// Conditions on a response of the upstream.
struct ResponseMatch: Sendable, Hashable {
    /// Its status; empty is every one.
    var statuses: [ClosedRange<Int>] = []
    /// Its media type, such as `image/*`; `nil` is every one.
    var type: String?
    /// Its fields; empty matches all.
    var fields: [NamedMatch] = []

    /// Whether a response satisfies the condition.
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
