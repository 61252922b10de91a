public import CacheSemantics
public import HTTPTypes

/// A request, its response and what a cache would make of them some time later.
public struct ExplainedExchange: Sendable {
    /// The rules, whose cache it is included.
    public var engine = CacheEngine()
    /// The request; scheme, authority and path are what the key is made of.
    public var request: HTTPRequest
    /// Its response.
    public var response: HTTPResponse
    /// When the request was sent.
    public var requestTime: HTTPDate
    /// When the response was received.
    public var responseTime: HTTPDate
    /// How many seconds after that the next request is made; default 0.
    public var after: Int64 = 0
    /// The next request; `nil`, the default, for the same again.
    public var next: HTTPRequest?
    /// The policy of the next request; default `useProtocolCachePolicy`.
    public var policy = RequestCachePolicy.useProtocolCachePolicy

    /// Creates an exchange that took no time.
    public init(request: HTTPRequest, response: HTTPResponse, at moment: HTTPDate) {
        self.request = request
        self.response = response
        requestTime = moment
        responseTime = moment
    }

    /// When the next request is made.
    public var now: HTTPDate { responseTime.advanced(by: after) }

    /// What a cache that had nothing before stores of the response, and why.
    func storing() -> (stored: StoredResponse?, settlement: Settlement) {
        let planned = engine.plan(
            request,
            key: engine.key(for: request),
            policy: .useProtocolCachePolicy,
            stored: [],
            now: requestTime
        )
        let settlement = engine.settle(
            planned,
            reply: .response(response, requestTime: requestTime, responseTime: responseTime)
        )
        for case .put(let stored) in settlement.edits { return (stored, settlement) }
        return (nil, settlement)
    }
}
