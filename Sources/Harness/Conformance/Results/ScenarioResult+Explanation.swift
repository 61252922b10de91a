import CacheSemantics
import Explanation
import HTTPTypes
import Scenarios

extension ScenarioResult {
    /// Returns an explanation, by the rules, of the request of a failed step and of the origin's last response before
    /// it, with the fields of 304 responses that followed, or if there was none, of its response to that request.
    ///
    /// `nil` for other steps, and if the origin has not responded to any request for the target.
    func explanation(of step: StepRecord) -> ExchangeExplanation? {
        // A step that only inspects the origin's requests is about the caller's request before it.
        let asking = steps.last { $0.number <= step.number && !$0.exchanges.isEmpty }
        guard !step.mismatches.isEmpty, let asking, let asked = asking.exchanges.first,
            let (origin, answering) = answered(asked.target, before: asking)
                ?? answered(asked.target, by: asking)
        else { return nil }
        let (fields, startedAt) = updated(origin, of: asked.target, from: answering, before: asking)
        let beginning = HTTPDate(secondsSinceEpoch: Self.beginning)
        var exchange = ExplainedExchange(
            request: Self.request(origin.request.method, asked.target, origin.request.fields),
            response: HTTPResponse(
                status: .init(code: origin.request.answeredStatus ?? 200),
                headerFields: fields
            ),
            at: beginning.advanced(by: Int64(startedAt))
        )
        exchange.engine = engine
        exchange.policy = asked.policy ?? client?.defaultPolicy ?? .useProtocolCachePolicy
        exchange.after = .seconds(max(0, Int64(asking.startedAt) - Int64(startedAt)))
        exchange.next = Self.request(
            asked.method,
            asked.target,
            asked.fields + added(to: origin, notIn: asked.fields)
        )
        return ExchangeExplanation(exchange)
    }

    /// The cache engine as the scenario configures it.
    private var engine: CacheEngine {
        var engine = CacheEngine(kind: cacheKind)
        guard let client else { return engine }
        engine.usesHeuristicFreshness = client.usesHeuristics
        engine.keepsPartialContent = client.keepsPartialContent
        engine.deviations = client.deviations
        engine.targets = client.targets.compactMap { HTTPField.Name($0) }
        return engine
    }

    /// Returns the fields that the subject added to a request, as clients add Accept-Encoding: it adds them to the next
    /// one, too.
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

    /// Returns the origin's last response with its own content for a target before a step.
    private func answered(_ target: String, before step: StepRecord) -> (OriginExchange, StepRecord)? {
        for earlier in steps.reversed() where earlier.number < step.number {
            if let answered = answered(target, by: earlier) { return answered }
        }
        return nil
    }

    /// Returns the last such response in a step.
    private func answered(_ target: String, by step: StepRecord) -> (OriginExchange, StepRecord)? {
        let arrival = step.arrivals.last { $0.isAnswered(for: target) && $0.request.answeredStatus != 304 }
        return arrival.map { ($0, step) }
    }

    /// Returns the fields of a response as 304 responses between two steps updated them (RFC 9111 §3.2), and when the last of
    /// these was requested.
    private func updated(
        _ origin: OriginExchange,
        of target: String,
        from first: StepRecord,
        before last: StepRecord
    ) -> (fields: HTTPFields, at: Double) {
        var result = (fields: HTTPFields(lines: origin.answerFields), at: first.startedAt)
        for step in steps where step.number > first.number && step.number < last.number {
            for arrival in step.arrivals
            where arrival.isAnswered(for: target) && arrival.request.answeredStatus == 304 {
                // Age and Date describe one message.
                result.fields[.age] = nil
                result.fields[.date] = nil
                let new = HTTPFields(lines: arrival.answerFields)
                for name in Set(new.map(\.name)) where name != .contentLength {
                    result.fields[fields: name] = new[fields: name]
                }
                result.at = step.startedAt
            }
        }
        return result
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

extension OriginExchange {
    /// Whether the origin is known to have answered a request for a target.
    fileprivate func isAnswered(for target: String) -> Bool {
        request.path + (request.query.map { "?" + $0 } ?? "") == target && !answerFields.isEmpty
    }
}
