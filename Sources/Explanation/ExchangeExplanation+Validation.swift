import CacheSemantics
import HTTPTypes

extension ExchangeExplanation {
    mutating func tellValidation(of stored: StoredResponse, _ exchange: ExplainedExchange) {
        let planned = exchange.engine.plan(
            exchange.request,
            key: stored.key,
            policy: .reloadRevalidatingCacheData,
            stored: [stored],
            now: exchange.now
        )
        guard case .validate(let validation) = planned.plan else {
            return note(.validation, "It cannot be validated: it has no validator", .conditionNone)
        }
        let own: [(HTTPField.Name, Rule)] = [
            (.ifNoneMatch, .conditionEntityTag), (.ifModifiedSince, .conditionLastModified),
        ]
        for (name, rule) in own {
            guard let value = validation.request.headerFields[name] else { continue }
            conditions.append(HTTPField(name: name, value: value))
            note(.validation, "A validation would send \(name.rawName): \(value)", rule)
        }
    }

    mutating func tellStaleUse(of stored: StoredResponse, _ engine: CacheEngine) {
        if let rule = engine.staleProhibition(of: stored) {
            note(.staleUse, "It may never be used stale: \(Self.directive(rule)) forbids it", rule)
            return note(
                .staleUse,
                "A cache that cannot validate it answers 504",
                .responseMustRevalidateFailed
            )
        }
        let control = engine.directives(of: stored)
        if let window = control.staleWhileRevalidate {
            let sentence =
                "Stale, it may be used for \(window) s while it is validated (stale-while-revalidate)"
            note(.staleUse, sentence, .staleWhileRevalidate)
        }
        if let window = control.staleIfError {
            let sentence = "Stale, it may be used for \(window) s in place of an error (stale-if-error)"
            note(.staleUse, sentence, .staleIfErrorResponse)
        }
        note(.staleUse, "A request with max-stale may get it stale", .requestMaxStale)
        note(.staleUse, "While the origin cannot be reached it may be used stale", .staleDisconnected)
    }

    static func directive(_ rule: Rule) -> String {
        switch rule {
        case .responseNoCache: "no-cache"
        case .responseMustRevalidate: "must-revalidate"
        case .responseProxyRevalidate: "proxy-revalidate"
        default: "s-maxage"
        }
    }
}
