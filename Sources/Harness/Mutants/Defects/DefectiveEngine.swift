import CacheSemantics
import HTTPTypes

/// An engine whose input or output a defect changes.
struct DefectiveEngine: CacheDecisions {
    let base: CacheEngine
    let defect: EngineDefect

    func plan(
        _ request: HTTPRequest,
        key: CacheKey,
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> PlannedRequest {
        let question = Question(
            engine: base,
            request: request,
            key: key,
            policy: policy,
            stored: stored,
            now: now
        )
        var planned = question.answer
        if defect.bends(.planning) { planned = bent(question, honest: planned) }
        if let plan = defect.plan?(planned, question) { planned = planned.with(plan) }
        if let key = defect.key { planned = planned.with(key: key(planned)) }
        if let reason = defect.reason, let honest = planned.forwardReason {
            planned = planned.with(reason: reason(honest))
        }
        return planned
    }

    func settle(_ planned: PlannedRequest, reply: OriginReply) -> Settlement {
        let settlement = defect.bends(.settling) ? bent(planned, reply) : base.settle(planned, reply: reply)
        guard let change = defect.settlement else { return settlement }
        let response: HTTPResponse? = if case .response(let response, _, _) = reply { response } else { nil }
        return change(
            settlement,
            Exchanged(engine: base, planned: planned, response: response, received: reply.times.received)
        )
    }

    func retried(_ planned: PlannedRequest, sending request: HTTPRequest) -> PlannedRequest {
        base.retried(planned, sending: request)
    }

    func incomplete(_ stored: StoredResponse, received: Int) -> StoredResponse? {
        guard let incomplete = defect.incomplete else { return base.incomplete(stored, received: received) }
        return incomplete(base.incomplete(stored, received: received))
    }

    func joining(_ new: StoredResponse, to old: StoredResponse?, isPrefix: Bool) -> Joining {
        guard let seen = defect.joined else { return base.joining(new, to: old, isPrefix: isPrefix) }
        let (bentNew, bentOld) = seen(new, old)
        switch base.joining(bentNew, to: bentOld, isPrefix: isPrefix) {
        case .replace: return .replace(new)
        case .combine(let combined):
            return .combine(combined.restored(seen: bentNew.response, as: new.response))
        case .freshen(let freshened):
            return .freshen(freshened.restored(seen: bentNew.response, as: new.response))
        case .keep: return .keep
        }
    }
}

// MARK: - Planning

extension DefectiveEngine {
    private func bent(_ honest: Question, honest planned: PlannedRequest) -> PlannedRequest {
        var question = honest
        question.request = seen(honest.request)
        question.now = defect.now?(honest) ?? honest.now
        question.stored = honest.stored.compactMap { seen($0, for: honest.request) }
        question.policy = defect.policy?(honest.policy) ?? honest.policy
        let bent = question.answer
        let plan: Plan
        switch (bent.plan, planned.plan) {
        case (.serve(let reuse), _): plan = .serve(original(reuse, of: honest.stored))
        // A response that the defective engine does not serve is validated with the response that is really stored.
        case (.validate, .serve), (.forward, .serve):
            plan = honest.withPolicy(.reloadRevalidatingCacheData).answer.plan
        case (.validate, .validate), (.complete, .complete): plan = planned.plan
        case (.forward(let request), _):
            plan = .forward(request.restored(seen: question.request, as: honest.request))
        case (.validate(let validation), _): plan = .validate(original(validation, question, honest))
        default: plan = bent.plan
        }
        var planned = PlannedRequest(
            plan,
            for: honest.request,
            policy: honest.policy,
            key: honest.key,
            stored: honest.stored
        )
        (planned.findings, planned.forwardReason) = (bent.findings, bent.forwardReason)
        return planned
    }

    private func original(_ reuse: Reuse, of stored: [StoredResponse]) -> Reuse {
        reuse.with(stored.first { $0.variant == reuse.stored.variant })
    }

    private func original(_ validation: Validation, _ bent: Question, _ honest: Question) -> Validation {
        Validation(
            request: validation.request.restored(seen: bent.request, as: honest.request),
            candidates: honest.stored.filter { stored in
                validation.candidates.contains { $0.variant == stored.variant }
            }
        )
    }
}

// MARK: - Settling

extension DefectiveEngine {
    private func bent(_ planned: PlannedRequest, _ reply: OriginReply) -> Settlement {
        let seenStored = planned.stored.compactMap { seen($0, for: planned.request) }
        var bentPlan = PlannedRequest(
            seen(planned.plan, seenStored),
            for: seen(planned.request),
            policy: defect.policy?(planned.policy) ?? planned.policy,
            key: planned.key,
            stored: seenStored
        )
        (bentPlan.findings, bentPlan.forwardReason) = (planned.findings, planned.forwardReason)
        guard case .response(let response, let requestTime, let responseTime) = reply else {
            return original(base.settle(bentPlan, reply: reply), planned, nil)
        }
        let bent = seen(response, received: responseTime)
        let settlement = base.settle(
            bentPlan,
            reply: .response(bent, requestTime: requestTime, responseTime: responseTime)
        )
        return original(settlement, planned, (bent, response))
    }

    private func seen(_ plan: Plan, _ stored: [StoredResponse]) -> Plan {
        guard case .validate(let validation) = plan else { return plan }
        let candidates = validation.candidates.compactMap { candidate in
            stored.first { $0.variant == candidate.variant }
        }
        return .validate(Validation(request: validation.request, candidates: candidates))
    }

    /// Returns the settlement with the real stored and received responses in place of the changed ones.
    private func original(
        _ settlement: Settlement,
        _ planned: PlannedRequest,
        _ response: (seen: HTTPResponse, real: HTTPResponse)?
    ) -> Settlement {
        let answer =
            switch settlement.answer {
            case .origin(let seen): CallerOutcome.origin(response?.real ?? seen)
            case .stored(let reuse): CallerOutcome.stored(original(reuse, of: planned.stored))
            default: settlement.answer
            }
        let edits = settlement.edits.map { edit -> StoreEdit in
            guard case .put(let stored) = edit, let response else { return edit }
            return .put(stored.restored(seen: response.seen, as: response.real))
        }
        return settlement.with(answer: answer, edits: edits)
    }

    // MARK: Views

    private func seen(_ request: HTTPRequest) -> HTTPRequest { defect.request?(request, base) ?? request }

    private func seen(_ stored: StoredResponse, for request: HTTPRequest) -> StoredResponse? {
        var result = stored
        if let change = defect.head {
            let head = Head(
                response: stored.response,
                received: stored.responseTime,
                engine: base,
                isStored: true
            )
            result = stored.with(\.response, change(head))
        }
        guard let change = defect.stored else { return result }
        return change(result, request)
    }

    private func seen(_ response: HTTPResponse, received: HTTPDate) -> HTTPResponse {
        guard let change = defect.head else { return response }
        return change(Head(response: response, received: received, engine: base, isStored: false))
    }
}
