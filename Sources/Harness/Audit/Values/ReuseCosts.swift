package import CacheSemantics
package import Explanation
import HTTPTypes

/// The costs of a response's uses in one kind of cache, determined by the engine.
package struct ReuseCosts: Sendable {
    /// The stored response; `nil` if it may not be stored.
    package let stored: StoredResponse?
    /// The remaining freshness on arrival in seconds; 0 or less if it is stale, or not stored.
    package let remaining: Int64
    /// The cost of an equal request at once.
    package let next: ReuseCost
    /// The cost of an equal request just after the response has become stale.
    package let whenStale: ReuseCost
    /// The cost of a reload by the user while it is fresh.
    package let reload: ReuseCost

    /// Determines the costs in the cache that is the engine of the exchange.
    package init(_ exchange: ExplainedExchange) {
        let probe = UseProbe(exchange)
        stored = probe.stored
        remaining = probe.remaining
        next = probe.cost(after: 0)
        whenStale = probe.cost(after: max(0, probe.remaining) + 1)
        reload = probe.reload(next)
    }

    /// The seconds for which it answers requests without the origin; 0 if it does not.
    package var useSeconds: Int64 { next == .nothing ? max(0, remaining) : 0 }

    /// Returns the cost of an identical request some seconds later.
    package static func cost(of exchange: ExplainedExchange, after seconds: Int64) -> ReuseCost {
        UseProbe(exchange).cost(after: seconds)
    }
}

/// Determines through the engine what uses of a stored response cost.
private struct UseProbe {
    let stored: StoredResponse?
    let remaining: Int64
    private let exchange: ExplainedExchange

    init(_ exchange: ExplainedExchange) {
        self.exchange = exchange
        stored = Self.stored(exchange)
        remaining = stored.map { exchange.engine.remainingFreshness(of: $0, now: exchange.responseTime) } ?? 0
    }

    private static func stored(_ exchange: ExplainedExchange) -> StoredResponse? {
        let planned = exchange.engine.plan(
            exchange.request,
            policy: .useProtocolCachePolicy,
            stored: [],
            now: exchange.requestTime
        )
        let reply = OriginReply.response(
            exchange.response,
            requestTime: exchange.requestTime,
            responseTime: exchange.responseTime
        )
        for case .put(let stored) in exchange.engine.settle(planned, reply: reply).edits { return stored }
        return nil
    }

    func cost(after seconds: Int64, _ policy: RequestCachePolicy = .useProtocolCachePolicy) -> ReuseCost {
        guard let stored else { return .transfer }
        let planned = exchange.engine.plan(
            exchange.request,
            policy: policy,
            stored: [stored],
            now: exchange.responseTime.advanced(by: seconds)
        )
        switch planned.plan {
        case .serve(let reuse): return reuse.revalidation == nil ? .nothing : .background
        case .validate, .complete: return .validation
        case .forward, .gatewayTimeout, .unavailable: return .transfer
        }
    }

    /// Returns the cost of a reload, which does not validate what is immutable (RFC 8246 §2).
    func reload(_ next: ReuseCost) -> ReuseCost {
        guard let stored else { return .transfer }
        let isImmutable = exchange.engine.directives(of: stored).isImmutable
        return isImmutable && next == .nothing
            ? .nothing : cost(after: 0, .reloadRevalidatingCacheData)
    }
}
