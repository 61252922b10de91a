package import HTTPTypes

/// The decisions that a client delegates to an engine.
///
/// A protocol, so that the harness can substitute an engine with one defect.
package protocol CacheDecisions: Sendable {
    /// Returns what to do with a request before the network.
    func plan(
        _ request: HTTPRequest,
        key: CacheKey,
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> PlannedRequest

    /// Returns what the caller gets and what is stored, after the network.
    func settle(_ planned: PlannedRequest, reply: OriginReply) -> Settlement

    /// Returns the plan of a request that is sent again.
    func retried(_ planned: PlannedRequest, sending request: HTTPRequest) -> PlannedRequest

    /// Returns the part of a response that is stored after its content was interrupted; `nil` if none is.
    func incomplete(_ stored: StoredResponse, received: Int) -> StoredResponse?

    /// Returns how a partial response is combined with the one that is stored in its place.
    func joining(_ new: StoredResponse, to old: StoredResponse?, isPrefix: Bool) -> Joining
}

extension CacheEngine: CacheDecisions {}
