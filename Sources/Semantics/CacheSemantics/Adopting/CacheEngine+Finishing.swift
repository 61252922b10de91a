internal import HTTPTypes

extension CacheEngine {
    /// Decides what the caller gets after the network, and changes the store.
    ///
    /// Takes into account what happened in the store since `begin`: a response that was requested before an
    /// invalidation is stored as invalidated (RFC 9111 §4.4), a 304 updates what is stored when it arrives (§4.3.4),
    /// and a newer response is not replaced by an older one.
    ///
    /// - Parameters:
    ///   - exchange: What `begin` returned.
    ///   - reply: What came back.
    ///   - store: The store that `begin` was called with.
    ///   - now: When the head of the response arrived, or the failure was noticed, on the cache's clock (§4.2.3).
    /// - Returns: The next step; `send` where the request must be sent once more, without the added preconditions.
    public func finish(
        _ exchange: CacheExchange,
        with reply: UpstreamReply,
        in store: inout some EngineStore,
        at now: HTTPDate
    ) -> CacheStep {
        let exchange = current(exchange, reply, in: &store)
        let settlement = settle(exchange.planned, reply: exchange.reply(reply, at: now))
        var update = StoreUpdate(engine: self, exchange: exchange, reply: reply)
        update.apply(settlement.edits, to: &store)
        if case .retry(let request) = settlement.answer, !exchange.isRetry {
            let planned = exchange.renewed(with: store.responses(for: exchange.planned.key)).planned
            return .send(
                CacheExchange(
                    retried(planned, sending: request).adding(settlement.findings),
                    found: store.responses(for: planned.key),
                    mark: store.changes.mark,
                    at: now,
                    isRetry: true
                )
            )
        }
        return exchange.step(after: settlement, reply)
    }

    /// Returns the exchange with what its response updates: for a 304 or HEAD, what is stored by now (§4.3.4, §4.3.5).
    private func current(
        _ exchange: CacheExchange,
        _ reply: UpstreamReply,
        in store: inout some EngineStore
    ) -> CacheExchange {
        guard case .response(let head, _, _) = reply else { return exchange }
        let isNotModified = head.status == .notModified
        guard isNotModified || exchange.planned.request.method == .head else { return exchange }
        let stored = store.responses(for: exchange.planned.key)
        guard isNotModified else { return exchange.renewed(with: stored) }
        let former = exchange.former(stored, namedBy: head)
        return exchange.renewed(
            with: stored.filter { new in !former.contains { $0.variant == new.variant } },
            besides: former
        )
    }
}

extension CacheExchange {
    /// Returns the responses that the request asked about and that have been removed, or replaced by one that the 304 does not
    /// name.
    fileprivate func former(_ current: [StoredContent], namedBy notModified: HTTPResponse) -> [StoredContent]
    {
        planned.validated.compactMap { found.variant($0.variant) }.filter { old in
            let new = current.variant(old.variant)
            let place = StoredPlace(seen: old.response, current: new?.response)
            return !place.isNamed(by: notModified, hasSameContent: new?.serial == old.serial)
        }
    }

    /// Returns the origin's result in the form that `settle` takes.
    fileprivate func reply(_ reply: UpstreamReply, at now: HTTPDate) -> OriginReply {
        switch reply {
        case .response(let head, _, _): .response(head, requestTime: requestTime, responseTime: now)
        case .failure: .unanswered(requestTime: requestTime, responseTime: now)
        case .invalid: .rejected(requestTime: requestTime, responseTime: now)
        }
    }

    /// Returns the step that gives the caller a response.
    fileprivate func step(after settlement: Settlement, _ upstream: UpstreamReply) -> CacheStep {
        let findings = planned.findings + settlement.findings
        let (content, isComplete) = upstream.content
        let reply: CacheReply?
        switch settlement.answer {
        case .origin(let head):
            reply = self.reply(head, content, isComplete: isComplete, from: .origin, findings)
        case .validated(let reuse, let head): reply = self.reply(reuse, head, from: .validated, findings)
        case .completed(let completion):
            reply = self.reply(completion, content, isComplete: isComplete, findings)
        case .stored(let reuse): reply = self.reply(reuse, reuse.response, from: .stored, findings)
        case .gatewayTimeout: reply = generated(findings: findings)
        case .rejected(let reason): return .fail(.rejected(reason: reason))
        case .unanswered: return .fail(.unanswered)
        case .retry: return .fail(.rejected(reason: "The origin's 304 matches no stored response."))
        }
        return reply.map(CacheStep.respond) ?? .fail(.unanswered)
    }
}

extension UpstreamReply {
    /// The content, and whether it is all there.
    var content: (bytes: [UInt8], isComplete: Bool) {
        if case .response(_, let content, let isComplete) = self { (content, isComplete) } else { ([], true) }
    }
}
