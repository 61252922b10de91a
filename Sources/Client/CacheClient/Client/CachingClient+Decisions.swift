import CacheSemantics
import HTTPTypes

// The engine is called directly rather than through a protocol, because a hit consists of little else.
extension CachingClient {
    /// Returns the plan for a request before the network is used.
    func plan(
        _ request: HTTPRequest,
        key: CacheKey,
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> PlannedRequest {
        guard let decisions else {
            return configuration.engine.plan(request, key: key, policy: policy, stored: stored, now: now)
        }
        return decisions.plan(request, key: key, policy: policy, stored: stored, now: now)
    }

    /// Returns the caller's response and the changes to the store after the network was used.
    func settled(_ planned: PlannedRequest, reply: OriginReply) -> Settlement {
        decisions?.settle(planned, reply: reply) ?? configuration.engine.settle(planned, reply: reply)
    }

    /// Returns the plan of a request that is sent again.
    func retried(_ planned: PlannedRequest, sending request: HTTPRequest) -> PlannedRequest {
        decisions?.retried(planned, sending: request)
            ?? configuration.engine.retried(planned, sending: request)
    }

    /// Returns the part of a response with interrupted content that may be stored; `nil` if none is worth storing.
    func incomplete(_ stored: StoredResponse, received: Int) -> StoredResponse? {
        guard let decisions else { return configuration.engine.incomplete(stored, received: received) }
        return decisions.incomplete(stored, received: received)
    }

    /// Returns the way to combine a partial response with `old`, the response stored for its key and variant.
    func joining(_ new: StoredResponse, to old: StoredResponse?, isPrefix: Bool) -> Joining {
        decisions?.joining(new, to: old, isPrefix: isPrefix)
            ?? configuration.engine.joining(new, to: old, isPrefix: isPrefix)
    }
}
