public import HTTPTypes

extension CacheEngine {
    /// Decides what to do with a request, given what a store has: answer it, or send a request to the origin.
    ///
    /// - Parameters:
    ///   - request: The caller's request, with scheme, authority and path.
    ///   - content: Its content; empty by default.
    ///   - policy: The caller's policy; by default `useProtocolCachePolicy`.
    ///   - store: Where stored responses are; not used after the call.
    ///   - now: The time on the cache's clock.
    /// - Returns: The next step. A request that ends without an answer, because its caller went away, needs no call.
    public func begin(
        _ request: HTTPRequest,
        content: [UInt8] = [],
        policy: RequestCachePolicy = .useProtocolCachePolicy,
        in store: inout some EngineStore,
        at now: HTTPDate
    ) -> CacheStep {
        let key = key(for: request, content: contentKey(of: request, content))
        let found = store.responses(for: key)
        let planned = plan(request, key: key, policy: policy, stored: found.map(\.response), now: now)
        let exchange = CacheExchange(planned, found: found, mark: store.changes.mark, at: now)
        switch planned.plan {
        case .validate, .complete, .forward: return .send(exchange)
        case .gatewayTimeout: return .respond(exchange.generated(findings: planned.findings))
        case .unavailable: return .fail(.nothingStored)
        case .serve(let reuse):
            guard let reply = exchange.reply(reuse, reuse.response, from: .stored, planned.findings) else {
                return .send(exchange.forwarded())
            }
            guard let validation = reuse.revalidation else { return .respond(reply) }
            return .respondAndValidate(reply, exchange.validating(validation))
        }
    }

    /// Returns the part of the key that depends on the request's content.
    private func contentKey(of request: HTTPRequest, _ content: [UInt8]) -> String {
        if request.method.rawValue == "QUERY" { return ContentDigest.text(of: content, request.headerFields) }
        let isRead = request.method == .get || request.method == .head
        return isRead && !content.isEmpty ? ContentDigest.uncacheable : ""
    }
}

extension CacheExchange {
    /// Returns the exchange that only validates the stored response that was served.
    fileprivate func validating(_ validation: Validation) -> CacheExchange {
        planned(as: .validate(validation))
    }

    /// Returns the exchange that asks the origin because the store has lost content of the response to be served.
    fileprivate func forwarded() -> CacheExchange { planned(as: .forward(planned.request)) }

    private func planned(as plan: Plan) -> CacheExchange {
        var other = planned
        (other.plan, other.forwardReason) = (plan, planned.forwardReason ?? .stale)
        return CacheExchange(other, found: found, mark: mark, at: requestTime)
    }
}
