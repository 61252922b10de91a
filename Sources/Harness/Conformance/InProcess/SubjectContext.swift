public import CacheSemantics
public import Clocks
import HTTPTypes
import PublicSuite

/// The parameters of a cache under test.
public struct SubjectContext: Sendable {
    /// The URL below which the scenario's origin answers, without a slash at its end: `http://127.0.0.1:41231/-/t-1`.
    ///
    /// Requests already name it; a cache with a fixed origin, such as a reverse proxy, needs it.
    public let origin: String
    /// The scenario's clock, which moves when the scenario lets time pass: the cache must take every age from it.
    public let clock: any TimeSource
    /// The kind of cache that the scenario tests.
    public let kind: CacheKind
    let caller: WireCaller

    /// Sends a request over the network, with no cache in between, and returns the origin's response.
    ///
    /// Redirects are left to the caller, and content codings are not decoded. Throws `SubjectError` if there is no
    /// response within 20 s. A cache with its own network access does not need it.
    public func send(_ request: SubjectRequest) async throws(SubjectError) -> SubjectResponse {
        let sent = WireRequest(
            method: request.method,
            url: request.url,
            fields: request.fields,
            body: request.body,
            followsRedirects: false,
            isConcurrent: true
        )
        switch await caller.send(sent, within: request.timeout ?? .seconds(20)) {
        case .response(let response):
            return SubjectResponse(
                status: response.status,
                fields: HTTPFields(latin1Lines: response.fields),
                body: response.body
            )
        case .timedOut: throw SubjectError("the origin did not respond in time")
        case .failed(let reason): throw SubjectError(reason)
        }
    }
}
