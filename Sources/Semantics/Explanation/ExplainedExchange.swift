public import CacheSemantics
public import HTTPTypes

/// A request, its response, and the circumstances of the next request.
public struct ExplainedExchange: Sendable {
    /// The engine, with the kind of cache.
    public var engine = CacheEngine()
    /// The request; its scheme, authority and path form the key.
    public var request: HTTPRequest
    /// The response that it received.
    public var response: HTTPResponse
    /// When the request was sent.
    public var requestTime: HTTPDate
    /// When the response was received.
    public var responseTime: HTTPDate
    /// The time from then to the next request, counted in whole seconds; default none.
    public var after = Duration.zero
    /// The next request; `nil`, the default, for an equal one.
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
    public var now: HTTPDate {
        // Beyond, `components` traps.
        let limit = Duration.seconds(Int64.max)
        return responseTime.advanced(by: min(max(after, .zero - limit), limit).components.seconds)
    }

    /// Returns the part of the response that an empty cache would store, and the reasons.
    func storing() -> (stored: StoredResponse?, settlement: Settlement) {
        let planned = engine.plan(
            request,
            key: engine.keyOfHead(request),
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

extension CacheEngine {
    /// Returns the key of a request of which only the head is known: the content of a QUERY counts as always the same.
    func keyOfHead(_ request: HTTPRequest) -> CacheKey {
        guard request.method == .query else { return key(for: request) }
        return key(for: request, content: ContentDigest.text(of: [], request.headerFields))
    }
}
