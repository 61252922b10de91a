package import HTTPTypes

/// The decisions that a client leaves to an engine, so that something else can decide in its place.
///
/// What stands there in tests of the harness is an engine with one defect around it.
package protocol CacheDecisions: Sendable {
    /// What to do with a request before the network.
    func plan(
        _ request: HTTPRequest,
        key: CacheKey,
        policy: RequestCachePolicy,
        stored: [StoredResponse],
        now: HTTPDate
    ) -> Planned

    /// What the caller gets and what is stored, after the network.
    func settle(_ planned: Planned, reply: OriginReply) -> Settlement

    /// The plan of a request that is sent again.
    func retried(_ planned: Planned, sending request: HTTPRequest) -> Planned

    /// What is left of a response whose content broke off; `nil` where nothing is worth keeping.
    func incomplete(_ stored: StoredResponse, received: Int) -> StoredResponse?

    /// What becomes of a partial response where another is stored in its place.
    func joining(_ new: StoredResponse, to old: StoredResponse?, isPrefix: Bool) -> Joining
}

extension CacheEngine: CacheDecisions {}
