import CacheSemantics
import HTTPTypes

/// An engine whose decisions are recorded.
struct RecordingDecisions: CacheDecisions {
    let cache: LabCacheName
    let engine: CacheEngine
    let timeline: LabTimeline

    func plan(
        _ request: HTTPRequest,
        key: CacheKey,
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> PlannedRequest {
        let planned = engine.plan(request, key: key, policy: policy, stored: stored, now: now)
        timeline.add(.decision(LabDecision(cache: cache, planned: planned, engine: engine, now: now)))
        return planned
    }

    func settle(_ planned: PlannedRequest, reply: OriginReply) -> Settlement {
        let settlement = engine.settle(planned, reply: reply)
        let settled = LabSettlement(cache: cache, settlement: settlement, before: planned.findings)
        timeline.add(.settlement(settled))
        return settlement
    }

    func retried(_ planned: PlannedRequest, sending request: HTTPRequest) -> PlannedRequest {
        engine.retried(planned, sending: request)
    }

    func incomplete(_ stored: StoredResponse, received: Int) -> StoredResponse? {
        engine.incomplete(stored, received: received)
    }

    func joining(_ new: StoredResponse, to old: StoredResponse?, isPrefix: Bool) -> Joining {
        engine.joining(new, to: old, isPrefix: isPrefix)
    }
}
