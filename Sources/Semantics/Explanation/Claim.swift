package import CacheSemantics
package import HTTPTypes

/// The content of a statement as a value that can be compared with the behaviour of a cache.
package enum Claim: Sendable, Hashable {
    /// The response may be stored.
    case storable(by: CacheKind)
    /// The response may not be stored, for the given reason if it is known.
    case unstorable(by: CacheKind, because: String?)
    /// Its freshness lifetime in seconds and the source.
    case lifetime(Int64, LifetimeTerms.Source)
    /// The remaining lifetime in seconds; 0 or less if it is stale.
    case freshness(Int64)
    /// It may not be used without validation even while fresh, for the given reason.
    case neverAlone(because: String)
    /// The cache's handling of the next request.
    case next(NextUse)
    /// A field that a validation adds to the request.
    case condition(HTTPField)
    /// It cannot be validated, for the given reason.
    case unconditional(because: String)
    /// A directive forbids using it stale.
    case neverStale(because: String)
    /// It may be used stale for a number of seconds, `nil` without limit; and whether they have passed at the next
    /// request.
    case stale(StaleUse, upTo: Int64?, hasPassed: Bool)
    /// Any other statement, in words.
    case remark(String)

    /// One sentence without the full stop.
    var sentence: String {
        switch self {
        case .storable(let kind): "It may be stored by a \(kind.rawValue) cache"
        case .unstorable(let kind, let reason):
            "It may not be stored by a \(kind.rawValue) cache" + (reason.map { ": \($0)" } ?? "")
        case .lifetime(let seconds, let source): Self.sentence(seconds, source)
        case .freshness(let left):
            "It is " + (left > 0 ? "fresh for \(left) s more" : "stale by \(-left) s")
        case .neverAlone(let reason): "Even while fresh, it answers no request without the origin: \(reason)"
        case .next(let use): use.sentence
        case .condition(let field): "A validation would send \(field.name.rawName): \(field.value)"
        case .unconditional(let reason): "It cannot be validated: \(reason)"
        case .neverStale(let directive): "It may never be used stale: \(directive) forbids it"
        case .stale(let use, let limit, let hasPassed):
            use.sentence(limit) + (hasPassed ? ", which have passed" : "")
        case .remark(let text): text
        }
    }

    private static func sentence(_ seconds: Int64, _ source: LifetimeTerms.Source) -> String {
        switch source {
        case .sharedMaxAge, .maxAge: "It is fresh for \(seconds) s, from \(source.rawValue)"
        case .expires: "It is fresh for \(seconds) s, from Expires minus Date"
        case .heuristic:
            "It is fresh for \(seconds) s, at most a tenth of the time between Last-Modified and Date"
        case .invalid: "It is stale at once: its freshness information is invalid"
        case .none: "It is stale at once: it has no freshness information"
        }
    }
}

/// A cache's handling of the next request, and the request that it sends.
package struct NextUse: Sendable, Hashable {
    /// The cache's handling of the request.
    package let outcome: ExchangeExplanation.Outcome
    /// The request to the origin, including one for background validation; `nil` if none is sent.
    package let sent: HTTPRequest?
    /// One sentence without the full stop.
    let sentence: String
}
