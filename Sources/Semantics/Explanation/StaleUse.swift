public import CacheSemantics

/// The time for which a stored response may be used although it is stale.
public enum StaleLimit: Sendable, Hashable {
    /// It may not be used stale.
    case never
    /// Up to this time, inclusive.
    case until(HTTPDate)
    /// Without limit.
    case unlimited
}

/// The circumstances in which a stale response may be used.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum StaleUse: Sendable, Hashable, CaseIterable {
    /// While it is validated in the background (RFC 5861 §3).
    case whileValidated
    /// In place of a server error (RFC 5861 §4).
    case insteadOfError
    /// For a request that accepts stale responses (§5.2.1.2).
    case forMaxStale
    /// While the origin cannot be reached (§4.2.4).
    case unreachable

    func sentence(_ limit: Int64?) -> String {
        let time = limit.map { " for \($0) s" } ?? ""
        return switch self {
        case .whileValidated:
            "Once stale, it may be used\(time) while it is validated (stale-while-revalidate)"
        case .insteadOfError: "Once stale, it may be used\(time) in place of an error (stale-if-error)"
        case .forMaxStale: "A request with max-stale may get it stale" + time
        case .unreachable: "While the origin cannot be reached, it may be used stale" + time
        }
    }

    func rule(_ limit: Int64?) -> Rule {
        switch self {
        case .whileValidated: .staleWhileRevalidate
        case .insteadOfError: .staleIfErrorResponse
        case .forMaxStale: .requestMaxStale
        case .unreachable: limit == nil ? .staleDisconnected : .staleIfErrorResponse
        }
    }
}
