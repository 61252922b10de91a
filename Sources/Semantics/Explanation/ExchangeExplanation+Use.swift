import CacheSemantics
import HTTPTypes

extension ExchangeExplanation {
    mutating func explainUse(of stored: [StoredResponse], _ exchange: ExplainedExchange) {
        let request = exchange.next ?? exchange.request
        let key = exchange.engine.keyOfHead(request)
        let considered = exchange.engine.consideredKey(for: request, key, among: stored)
        let offered = stored.filter { $0.key == considered }
        let planned = exchange.engine.plan(
            request,
            key: key,
            policy: exchange.policy,
            stored: offered,
            now: exchange.now
        )
        findings = planned.findings
        outcome = Outcome(planned.plan)
        sentRequest = planned.sent
        let why = decisive(planned)
        if let other = offered.first, other.key != key { explainEquivalent(other) }
        let sentence = Self.sentence(planned.plan) + (why.map { ": \($0.detail)" } ?? "")
        let use = NextUse(outcome: outcome, sent: planned.sent, sentence: sentence)
        note(.use, .next(use), why?.rule ?? .reuseFreshOrAllowed)
        if outcome != .served, outcome != .servedStale {
            explainNearest(request, key, stored, exchange.engine)
        }
    }

    /// Explains the use of a complete response of unknown length; a cache knows that once it has received the content.
    mutating func explainUse(ofWhole stored: StoredResponse, _ exchange: ExplainedExchange) {
        explainUse(of: [stored.holding(contentLength: Self.assumedLength)], exchange)
        let count = findings.count
        findings.removeAll { $0.rule == .partialServed || $0.rule == .rangeUnsatisfiable }
        guard findings.count < count, outcome == .served || outcome == .servedStale else { return }
        note(
            .use,
            "Without a valid Content-Length it is open which of the requested bytes exist",
            .partialServed
        )
    }

    /// Longer than any range that a test of a cache requests.
    private static let assumedLength = 1 << 40

    private mutating func explainEquivalent(_ other: StoredResponse) {
        findings.insert(
            Finding(.searchIgnored, held: true, "stored for \(other.key.targetURI)"),
            at: 0
        )
        let sentence =
            "Because of its No-Vary-Search, the response stored for \(other.key.targetURI) is considered"
        note(.use, sentence, .searchIgnored)
    }

    /// Returns the finding that explains the plan.
    func decisive(_ planned: PlannedRequest) -> Finding? {
        switch outcome {
        case .served, .servedStale:
            planned.findings.last { $0.held && !Self.besides.contains($0.rule) }
        // The first rule that did not hold is the reason for the rest.
        default: planned.findings.first { !$0.held } ?? planned.findings.last
        }
    }

    /// Rules on the part of a stored response that is used, not on whether it may be used.
    private static let besides: Set<Rule> = [
        .reuseSetsAge, .varyMatches, .callerIfNoneMatch, .callerIfModifiedSince, .callerIfRange,
        .entityTagWeak,
        .entityTagStrong, .partialServed, .rangeUnsatisfiable, .rangeIgnored, .rangeOfGet,
        .conditionEntityTag, .conditionLastModified, .conditionSeveralTags, .callerTagsJoined,
        .staleWhileRevalidateBackground,
    ]

    static func sentence(_ plan: Plan) -> String {
        switch plan {
        case .serve(let reuse):
            "The next request is answered \(form(of: reuse.part))from the store"
                + (reuse.isStale ? ", although it is stale" : "")
        case .validate: "For the next request, the cache validates it"
        case .complete: "For the next request, the cache requests the missing bytes"
        case .forward: "The next request is forwarded to the origin"
        case .gatewayTimeout:
            "The next request is answered with 504, because only-if-cached forbids forwarding it"
        case .unavailable: "The next request fails, because the policy forbids the network"
        }
    }

    /// Returns the status in words, if it differs from the stored one; otherwise empty.
    private static func form(of part: Reuse.Part) -> String {
        switch part {
        case .whole: ""
        case .notModified: "with 304 "
        case .range, .ranges: "with 206 "
        case .unsatisfiable: "with 416 "
        }
    }

    mutating func explainNearest(
        _ request: HTTPRequest,
        _ key: CacheKey,
        _ stored: [StoredResponse],
        _ engine: CacheEngine
    ) {
        guard let nearest = Self.nearest(to: request, among: stored, engine) else { return }
        guard nearest.key == key || nearest.answers(key, by: engine) else {
            guard nearest.key.targetURI != key.targetURI || !key.isOfContent else {
                let sentence =
                    "The nearest stored response is for a query with other content, or fields of the content"
                return note(.nearest, sentence, .queryKey)
            }
            guard nearest.key.targetURI != key.targetURI else {
                let sentence = "The nearest stored response is for a QUERY, which answers no other method"
                return note(.nearest, sentence, .reuseMethodAllows)
            }
            let part = URIPart.differing(nearest.key.targetURI, key.targetURI)
            let sentence =
                "The nearest stored response is for \(nearest.key.targetURI); the \(part.rawValue) differs"
            return note(.nearest, sentence, .reuseSameTarget)
        }
        guard let differing = engine.differences(of: request, from: nearest) else {
            return note(.nearest, "Vary: * excludes all stored responses", .varyStarNeverMatches)
        }
        for name in differing {
            let (here, there) = (
                Self.value(name, request.headerFields), Self.value(name, nearest.selectingFields)
            )
            let sentence =
                "The nearest stored response does not match: \(name.rawName) is \(here), but was \(there)"
            note(
                .nearest,
                sentence,
                here == "absent" || there == "absent" ? .varyAbsentMatchesAbsent : .varyMatches
            )
        }
    }

    static func value(_ name: HTTPField.Name, _ fields: HTTPFields) -> String {
        let lines = fields[values: name]
        return lines.isEmpty ? "absent" : "\"\(lines.joined(separator: ", "))\""
    }

    /// Returns the stored response with the fewest mismatching fields; of several the most recent.
    static func nearest(
        to request: HTTPRequest,
        among stored: [StoredResponse],
        _ engine: CacheEngine
    ) -> StoredResponse? {
        stored.min { left, right in
            let counts = [left, right].map { engine.differences(of: request, from: $0)?.count ?? .max }
            return counts[0] == counts[1] ? left.date > right.date : counts[0] < counts[1]
        }
    }
}

extension ExchangeExplanation.Outcome {
    init(_ plan: Plan) {
        switch plan {
        case .serve(let reuse): self = reuse.isStale ? .servedStale : .served
        case .validate: self = .validated
        case .complete: self = .completed
        case .forward: self = .forwarded
        case .gatewayTimeout: self = .gatewayTimeout
        case .unavailable: self = .unavailable
        }
    }
}
