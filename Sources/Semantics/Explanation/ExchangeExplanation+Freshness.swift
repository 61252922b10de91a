import CacheSemantics
import HTTPTypes

extension ExchangeExplanation {
    mutating func explainLifetime(of stored: StoredResponse, _ engine: CacheEngine) {
        let terms = engine.lifetimeTerms(of: stored)
        lifetime = terms
        if let target = engine.targetedField(of: stored) {
            note(.lifetime, "\(target.rawName) applies instead of Cache-Control and Expires", .targetedFirst)
        }
        note(.lifetime, .lifetime(terms.seconds, terms.source), terms.rule)
        let isFromDirective = terms.source == .sharedMaxAge || terms.source == .maxAge
        if isFromDirective, stored.response.headerFields.contains(.expires) {
            note(.lifetime, "Expires is ignored, because a directive gives the lifetime", .expiresIgnored)
        }
        if engine.kind == .private, engine.directives(of: stored).sharedMaxAge != nil {
            note(.lifetime, "s-maxage applies only to shared caches", .lifetimeSharedMaxAgePrivate)
        }
    }

    /// Explains the age; `isDated` is whether the response was received with a Date.
    mutating func explainAge(
        of stored: StoredResponse,
        _ engine: CacheEngine,
        now: HTTPDate,
        isDated: Bool = true
    ) {
        let terms = engine.ageTerms(of: stored, now: now)
        age = terms
        let apparent = isDated ? "the larger of \(terms.apparent) s since Date and " : ""
        let initial = apparent + "\(terms.corrected) s from Age and delay"
        let sentence = "Its age is \(terms.sum) s: \(initial), plus \(terms.resident) s in the store"
        note(.age, sentence, terms.corrected > terms.apparent ? .ageCorrected : .ageApparent)
        let left = engine.remainingFreshness(of: stored, now: now)
        note(.age, .freshness(left), .freshWhileLifetimeExceedsAge)
        if left > 0, !engine.isReusableWithoutValidation(stored, now: now) {
            explainObstacle(of: stored)
        }
    }

    /// Adds what forbids using a fresh response without validation.
    private mutating func explainObstacle(of stored: StoredResponse) {
        if stored.isInvalidated {
            let reason = "an unsafe request or a HEAD has invalidated it"
            note(.age, .neverAlone(because: reason), .invalidatedNeedsValidation)
        } else if stored.vary.neverMatches {
            note(.age, .neverAlone(because: "no request matches its Vary"), .varyStarNeverMatches)
        } else {
            note(.age, .neverAlone(because: "it has no-cache"), .responseNoCache)
        }
    }
}
