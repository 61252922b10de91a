import CacheSemantics
import Explanation
import HTTPTypes

/// One kind of cache's treatment of a response, regardless of how its fields express it.
struct CachePolicy {
    private enum Use: Hashable {
        /// It is not stored.
        case none
        /// It is validated at each use.
        case validated
        /// It is used for as long as the cache estimates, which grows with the time that passes.
        case estimated
        /// It is used for a number of seconds that its fields name.
        case fresh(Int64)
    }

    private let use: Use

    init(_ exchange: AuditedExchange, in cache: AuditedCache) {
        let outcome = CacheOutcome(exchange.explained, in: cache)
        if !outcome.isStored {
            use = .none
        } else if outcome.directives?.noCache == .everything {
            use = .validated
        } else if let terms = outcome.explanation.lifetime, terms.source != .heuristic {
            use = .fresh(terms.seconds)
        } else {
            use = .estimated
        }
    }

    /// Returns a sentence on the first kind of cache that treats a later response differently from the earlier one; `nil`
    /// if none does.
    ///
    /// `object` and `earlierObject` are the responses in that sentence.
    static func difference(
        _ later: AuditedExchange,
        _ object: String,
        from earlier: AuditedExchange,
        _ earlierObject: String
    ) -> String? {
        let seconds = later.responseTime.seconds(since: earlier.requestTime) + 1
        let isTargeted = [later, earlier].contains { $0.fields.contains(.cdnCacheControl) }
        let caches = [.shared, .browser] + (isTargeted ? [AuditedCache.targeted([.cdnCacheControl])] : [])
        return caches.lazy.compactMap { cache -> String? in
            let (usual, found) = (CachePolicy(earlier, in: cache), CachePolicy(later, in: cache))
            guard !found.follows(usual, after: seconds) else { return nil }
            return "a \(cache.name) \(found.text(object)), and \(usual.text(earlierObject))"
        }.first
    }

    /// Whether it is the same, but for a lifetime that counts down with the time that has passed, or that an Expires has whose
    /// second begins before or after that of Date.
    private func follows(_ earlier: CachePolicy, after seconds: Int64) -> Bool {
        guard case (.fresh(let before), .fresh(let after)) = (earlier.use, use) else {
            return use == earlier.use
        }
        return (-1...max(0, seconds)).contains(before - after)
    }

    private func text(_ object: String) -> String {
        switch use {
        case .none: "does not store \(object)"
        case .validated: "validates \(object) at each use"
        case .estimated: "stores \(object)"
        case .fresh(let seconds): "keeps \(object) for \(ByteText.seconds(seconds))"
        }
    }
}
