import CacheSemantics
import HTTPTypes

extension Probe {
    /// The same request again.
    static let repeats: [Probe] = [
        Probe(
            name: "repeat",
            rules: [
                "same-etag-other-content", "other-etag-same-content", "origins-disagree", "hit-without-age",
            ],
            skip: { _ in nil },
            request: { $0.first.request },
            judge: { context, again in
                guard again.status == 200 else {
                    return .unknown("the second answer has status \(again.status)")
                }
                return ProbeVerdict(
                    observations: validators(context.first, again) + directives(context.first, again)
                )
            }
        )
    ]

    /// Compares validators and content of two answers to one request.
    private static func validators(_ one: AuditedExchange, _ other: AuditedExchange) -> [Observation] {
        guard let before = one.decodedIdentity, let after = other.decodedIdentity else { return [] }
        let tags = (one.entityTag, other.entityTag)
        if before == after {
            guard let (first, second) = unequal(tags), sameVariant(one, other) else { return [] }
            return [
                Observation(
                    "other-etag-same-content",
                    "two identical requests got identical content with the entity tags \(first) and \(second)",
                    effect: "a validation transfers it again; servers behind one name often differ in this"
                )
            ]
        }
        if let tag = tags.0, tag == tags.1, !tag.isWeak {
            let sentence =
                "two identical requests got different content with the same strong entity tag \(tag.text)"
            return [
                Observation("same-etag-other-content", sentence, effect: "a validation keeps the old one")
            ]
        }
        return []
    }

    private static func unequal(_ tags: (EntityTag?, EntityTag?)) -> (String, String)? {
        guard let first = tags.0, let second = tags.1, !first.matchesWeakly(second) else { return nil }
        return (first.text, second.text)
    }

    /// Whether a coding that is chosen by load does not explain another tag.
    private static func sameVariant(_ one: AuditedExchange, _ other: AuditedExchange) -> Bool {
        one.codings == other.codings
    }

    private static func directives(_ one: AuditedExchange, _ other: AuditedExchange) -> [Observation] {
        [HTTPField.Name.cacheControl, .vary, .cdnCacheControl].compactMap { name in
            // The order of members has no meaning; remaining lifetimes may count down.
            let (before, after) = (members(name, one), members(name, other))
            guard before != after else { return nil }
            return Observation(
                "origins-disagree",
                "two identical requests got \(name.rawName): \"\(one.fields[name] ?? "")\" and "
                    + "\"\(other.fields[name] ?? "")\"; servers of one host name may be configured differently"
            )
        }
    }

    private static func members(_ name: HTTPField.Name, _ exchange: AuditedExchange) -> Set<String> {
        Set(
            ListField.members(of: exchange.fields[values: name]).map {
                DirectiveList.name(of: $0) == "max-age" ? "max-age" : $0.lowercased()
            }
        )
    }

    /// Returns the finding for an answer to any probe that a cache has sent from its store without Age.
    ///
    /// A miss is no finding: the first request may have filled the cache.
    static func storedUse(_ context: ProbeContext, _ answer: AuditedExchange) -> Observation? {
        guard !context.violated.contains("hit-without-age"), answer.status == 200,
            answer.request.path == context.first.request.path, !answer.fields.contains(.age),
            let reason = storedUse(context.first, answer)
        else { return nil }
        return Observation(
            "hit-without-age",
            "a later request was answered from a cache (\(reason)) without Age",
            effect: "other caches know only by Date how old the response is"
        )
    }

    /// Returns the sign that a cache has answered without validation: its own fields, or an unchanged Date.
    private static func storedUse(_ one: AuditedExchange, _ other: AuditedExchange) -> String? {
        if let words = RecordedSource.sharedHit(other.fields) { return words }
        let time = other.requestTime.seconds(since: one.responseTime)
        guard time >= 2, let date = other.fields[.date], date == one.fields[.date] else { return nil }
        return "Date is still \(date) after \(time) s"
    }
}
