import CacheSemantics
import HTTPTypes

/// The engine's decisions in a case, in words that do not depend on its form or time.
public enum EngineVerdict {
    /// Returns the words.
    public static func text(_ rendered: RenderedCase) -> String {
        let engine = CacheEngine(kind: rendered.exchange.isShared ? .shared : .private)
        let (stored, storing) = store(rendered, engine)
        return storing + "\n" + use(stored, rendered, engine)
    }

    private static func store(
        _ rendered: RenderedCase,
        _ engine: CacheEngine
    ) -> ([StoredResponse], String) {
        let exchange = rendered.exchange
        let planned = engine.plan(
            request(exchange.first, rendered.first),
            policy: .useProtocolCachePolicy,
            stored: [],
            now: rendered.start
        )
        let reply = OriginReply.response(
            response(exchange.answer, rendered.answer),
            requestTime: rendered.start,
            responseTime: rendered.start.advanced(by: exchange.delay)
        )
        let settlement = engine.settle(planned, reply: reply)
        let stored = settlement.edits.compactMap { edit -> StoredResponse? in
            guard case .put(let stored) = edit else { return nil }
            return stored.holding(contentLength: 10)
        }
        return (stored, words(settlement, rendered))
    }

    private static func use(
        _ stored: [StoredResponse],
        _ rendered: RenderedCase,
        _ engine: CacheEngine
    ) -> String {
        let exchange = rendered.exchange
        let now = rendered.start.advanced(by: exchange.delay + exchange.wait)
        let planned = engine.plan(
            request(exchange.second, rendered.second),
            policy: exchange.policy,
            stored: stored,
            now: now
        )
        let plan = words(planned, rendered)
        guard planned.asksOrigin else { return plan }
        let reply: OriginReply
        if let message = exchange.reply {
            reply = .response(response(message, rendered.reply), requestTime: now, responseTime: now)
        } else {
            reply = .failure(requestTime: now, responseTime: now)
        }
        return plan + "\n" + words(engine.settle(planned, reply: reply), rendered)
    }

    // MARK: Words

    private static func words(_ planned: PlannedRequest, _ rendered: RenderedCase) -> String {
        let reason = planned.forwardReason?.rawValue ?? "hit"
        switch planned.plan {
        case .serve(let reuse):
            return "serve \(words(reuse)) \(reuse.revalidation.map { words($0.request, rendered) } ?? "")"
        case .validate(let validation):
            return "validate \(validation.candidates.count) \(reason) \(words(validation.request, rendered))"
        case .complete(let partial): return "complete \(reason) \(words(partial.request, rendered))"
        case .forward(let request): return "forward \(reason) \(words(request, rendered))"
        case .gatewayTimeout: return "gateway timeout \(reason)"
        case .unavailable: return "unavailable \(reason)"
        }
    }

    private static func words(_ reuse: Reuse) -> String {
        "age \(reuse.age) lifetime \(reuse.lifetime) stale \(reuse.isStale) part \(reuse.part) "
            + "invalidated \(reuse.stored.isInvalidated)"
    }

    /// Returns the preconditions and ranges of a request that is sent.
    private static func words(_ request: HTTPRequest, _ rendered: RenderedCase) -> String {
        let fields = request.headerFields
        let tags = ListField.members(of: fields[values: .ifNoneMatch])
        let since = fields[.ifModifiedSince].flatMap { HTTPDate(parsing: $0, now: rendered.start) }
        let offset = since.map { String($0.seconds(since: rendered.start)) } ?? "none"
        return "tags \(tags) since \(offset) range \(fields[.range] ?? "none")"
    }

    private static func words(_ settlement: Settlement, _ rendered: RenderedCase) -> String {
        let answer: String
        switch settlement.answer {
        case .origin(let response): answer = "origin \(response.status.code)"
        case .validated(let reuse, let response):
            answer = "validated \(response.status.code) \(words(reuse)) \(words(reuse.stored, rendered))"
        case .completed: answer = "completed"
        case .stored(let reuse): answer = "stored \(words(reuse))"
        case .gatewayTimeout: answer = "gateway timeout"
        case .unanswered: answer = "unanswered"
        case .retry: answer = "retry"
        case .rejected: answer = "rejected"
        }
        return answer + settlement.edits.map { ", " + words($0, rendered) }.joined()
    }

    private static func words(_ edit: StoreEdit, _ rendered: RenderedCase) -> String {
        switch edit {
        case .put(let stored): "put \(words(stored, rendered))"
        case .putSeparated(let stored, _): "put parts \(words(stored, rendered))"
        case .putAlias(let stored): "put alias \(words(stored, rendered))"
        case .freshen(let stored): "freshen \(words(stored, rendered))"
        case .invalidate(let key): "invalidate \(key.targetURI)"
        case .invalidateGroups(let origin, let groups): "invalidate \(groups) of \(origin)"
        case .clear(let origin): "clear \(origin)"
        case .remove(let key, let variant): "remove \(key.targetURI) \(variant.text)"
        }
    }

    private static func words(_ stored: StoredResponse, _ rendered: RenderedCase) -> String {
        let names = Set(stored.response.headerFields.map(\.name.canonicalName)).sorted()
        let date = stored.date.seconds(since: rendered.start)
        return "\(stored.statusCode) variant \(stored.variant.text) date \(date) with \(names)"
    }

    // MARK: Messages

    private static func request(
        _ message: ExchangeCase.Message,
        _ lines: [(name: String, value: String)]
    ) -> HTTPRequest {
        HTTPRequest(
            method: HTTPRequest.Method(rawValue: message.method) ?? .get,
            scheme: "http",
            authority: "example.com",
            path: "/a",
            headerFields: HTTPFields(lines: lines)
        )
    }

    private static func response(
        _ message: ExchangeCase.Message,
        _ lines: [(name: String, value: String)]
    ) -> HTTPResponse {
        HTTPResponse(
            status: HTTPResponse.Status(code: message.status),
            headerFields: HTTPFields(lines: lines)
        )
    }
}

extension PlannedRequest {
    fileprivate var asksOrigin: Bool {
        switch plan {
        case .validate, .complete, .forward: true
        case .serve(let reuse): reuse.revalidation != nil
        case .gatewayTimeout, .unavailable: false
        }
    }
}
