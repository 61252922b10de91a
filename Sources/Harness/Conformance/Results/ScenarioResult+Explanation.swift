import CacheSemantics
import Explanation
import HTTPTypes
import Scenarios

extension ScenarioResult {
    /// What the rules make of the request of a step that did not hold and of what the origin had answered before, or if
    /// there was nothing before, of what it answered then.
    ///
    /// `nil` for other steps, and where the origin has answered nothing for the request's target.
    func explanation(of step: StepRecord) -> ExchangeExplanation? {
        // A step that only looks at what the origin saw is about the request before it.
        let asking = steps.last { $0.number <= step.number && !$0.exchanges.isEmpty }
        guard !step.mismatches.isEmpty, let asking, let asked = asking.exchanges.first,
            let (origin, startedAt) = answered(asked.target, before: asking)
                ?? answered(asked.target, by: asking)
        else { return nil }
        let beginning = HTTPDate(secondsSinceEpoch: Self.beginning)
        var exchange = ExplainedExchange(
            request: Self.request(origin.request.method, asked.target, origin.request.fields),
            response: HTTPResponse(
                status: .init(code: origin.request.answeredStatus ?? 200),
                headerFields: HTTPFields(lines: origin.answerFields)
            ),
            at: beginning.advanced(by: Int64(startedAt))
        )
        exchange.engine = engine
        exchange.policy = asked.policy ?? client?.defaultPolicy ?? .useProtocolCachePolicy
        exchange.after = max(0, Int64(asking.startedAt) - Int64(startedAt))
        exchange.next = Self.request(
            asked.method,
            asked.target,
            asked.fields + added(to: origin, notIn: asked.fields)
        )
        return ExchangeExplanation(exchange)
    }

    /// The rules of the cache, as far as the scenario sets it up.
    private var engine: CacheEngine {
        var engine = CacheEngine(kind: cacheKind)
        guard let client else { return engine }
        engine.usesHeuristicFreshness = client.usesHeuristics
        engine.keepsPartialContent = client.keepsPartialContent
        engine.deviations = client.deviations
        engine.targets = client.targets.compactMap { HTTPField.Name($0) }
        return engine
    }

    /// What the subject had added to a request, as clients do with Accept-Encoding: it adds it to the next one, too.
    private func added(
        to origin: OriginExchange,
        notIn own: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        let callers = steps.flatMap(\.exchanges).flatMap(\.fields) + own
        let known = Set(callers.map { $0.name.lowercased() })
        let selecting = HTTPFields(lines: origin.answerFields)[values: .vary].joined(separator: ",")
            .lowercased()
        return origin.request.fields.filter { line in
            let name = line.name.lowercased()
            return !known.contains(name) && selecting.contains(name)
        }
    }

    /// 2026-01-01T00:00:00Z, when every scenario begins on its own clock.
    private static let beginning: Int64 = 1_767_225_600

    /// The last answer with content of its own that the origin gave for a target before a step.
    private func answered(_ target: String, before step: StepRecord) -> (OriginExchange, Double)? {
        for earlier in steps.reversed() where earlier.number < step.number {
            if let answered = answered(target, by: earlier) { return answered }
        }
        return nil
    }

    /// The last such answer in a step.
    private func answered(_ target: String, by step: StepRecord) -> (OriginExchange, Double)? {
        let arrival = step.arrivals.last { arrival in
            let query = arrival.request.query.map { "?" + $0 } ?? ""
            return arrival.request.path + query == target && !arrival.answerFields.isEmpty
                && arrival.request.answeredStatus != 304
        }
        return arrival.map { ($0, step.startedAt) }
    }

    private static func request(
        _ method: String,
        _ target: String,
        _ fields: [(name: String, value: String)]
    ) -> HTTPRequest {
        HTTPRequest(
            method: HTTPRequest.Method(rawValue: method) ?? .get,
            scheme: "http",
            authority: "origin",
            path: target,
            headerFields: HTTPFields(lines: fields)
        )
    }
}
