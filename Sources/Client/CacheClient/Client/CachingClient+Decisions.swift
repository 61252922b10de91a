import CacheSemantics
import HTTPTypes

// The engine is called directly, not as one of several that could decide: a hit is made of little else.
extension CachingClient {
    /// What to do with a request before the network.
    func plan(
        _ request: HTTPRequest,
        key: CacheKey,
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> Planned {
        guard let decisions else {
            return configuration.engine.plan(request, key: key, policy: policy, stored: stored, now: now)
        }
        return decisions.plan(request, key: key, policy: policy, stored: stored, now: now)
    }

    /// What the caller gets and what is stored, after the network.
    func settled(_ planned: Planned, reply: OriginReply) -> Settlement {
        decisions?.settle(planned, reply: reply) ?? configuration.engine.settle(planned, reply: reply)
    }

    /// The plan of a request that is sent again.
    func retried(_ planned: Planned, sending request: HTTPRequest) -> Planned {
        decisions?.retried(planned, sending: request)
            ?? configuration.engine.retried(planned, sending: request)
    }

    /// What is left of a response whose content broke off; `nil` where nothing is worth keeping.
    func incomplete(_ stored: StoredResponse, received: Int) -> StoredResponse? {
        guard let decisions else { return configuration.engine.incomplete(stored, received: received) }
        return decisions.incomplete(stored, received: received)
    }

    /// What becomes of a partial response where another is stored in its place.
    func joining(_ new: StoredResponse, to old: StoredResponse?, isPrefix: Bool) -> Joining {
        decisions?.joining(new, to: old, isPrefix: isPrefix)
            ?? configuration.engine.joining(new, to: old, isPrefix: isPrefix)
    }
}
