import CacheSemantics
import HTTPTypes

extension ExchangeExplanation {
    mutating func tellLifetime(of stored: StoredResponse, _ engine: CacheEngine) {
        let terms = engine.lifetimeTerms(of: stored)
        lifetime = terms
        if let target = engine.targetedField(of: stored) {
            note(.lifetime, "\(target.rawName) counts in place of Cache-Control and Expires", .targetedFirst)
        }
        switch terms.source {
        case .sharedMaxAge, .maxAge:
            note(.lifetime, "It is fresh for \(terms.seconds) s, from \(terms.source.rawValue)", terms.rule)
            if stored.response.headerFields.contains(.expires) {
                note(.lifetime, "Expires counts for nothing beside that", .expiresIgnored)
            }
        case .expires:
            note(.lifetime, "It is fresh for \(terms.seconds) s, from Expires minus Date", terms.rule)
        case .heuristic:
            let sentence =
                "It is fresh for \(terms.seconds) s, a tenth of the time between Last-Modified and Date"
            note(.lifetime, sentence, terms.rule)
        case .invalid:
            note(.lifetime, "It is stale at once: its freshness information cannot be read", terms.rule)
        case .none:
            note(.lifetime, "It is stale at once: nothing says how long it is fresh", terms.rule)
        }
        if engine.kind == .private, engine.directives(of: stored).sharedMaxAge != nil {
            note(.lifetime, "s-maxage is for shared caches alone", .lifetimeSharedMaxAgePrivate)
        }
    }

    mutating func tellAge(of stored: StoredResponse, _ engine: CacheEngine, now: HTTPDate) {
        let terms = engine.ageTerms(of: stored, now: now)
        age = terms
        let sum = "the larger of \(terms.apparent) s since Date and \(terms.corrected) s from Age and delay, "
        let sentence = "Its age is \(terms.sum) s: \(sum)plus \(terms.resident) s in the store"
        note(.age, sentence, terms.corrected > terms.apparent ? .ageCorrected : .ageApparent)
        let left = engine.lifetimeTerms(of: stored).seconds - terms.sum
        let state = left > 0 ? "fresh for \(left) s more" : "stale, by \(-left) s"
        note(.age, "It is \(state)", .freshWhileLifetimeExceedsAge)
    }
}
