package import HTTPTypes

/// The decisions that a client delegates to an engine.
///
/// A protocol, so that the harness can substitute an engine with one defect.
package protocol CacheDecisions: Sendable {
    /// Returns the plan for a request before the network is used.
    func plan(
        _ request: HTTPRequest,
        key: CacheKey,
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> PlannedRequest

    /// Returns the caller's response and the changes to the store after the network was used.
    func settle(_ planned: PlannedRequest, reply: OriginReply) -> Settlement

    /// Returns the plan of a request that is sent again.
    func retried(_ planned: PlannedRequest, sending request: HTTPRequest) -> PlannedRequest

    /// Returns the part of a response that is stored after its content was interrupted; `nil` if none is.
    func incomplete(_ stored: StoredResponse, received: Int) -> StoredResponse?

    /// Returns the way to combine a partial response with the response stored for its key and variant.
    func joining(_ new: StoredResponse, to old: StoredResponse?, isPrefix: Bool) -> Joining
}

extension CacheEngine: CacheDecisions {}
