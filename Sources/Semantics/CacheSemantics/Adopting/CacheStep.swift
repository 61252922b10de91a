public import HTTPTypes

/// An adopter's next step with a request.
public enum CacheStep: Sendable {
    /// Give the caller this response; the request is done.
    case respond(CacheReply)
    /// Give the caller this response now, then send the validation in the background, with the content of the caller's
    /// request if it has one, and finish it; its own reply has no caller (RFC 5861 §3).
    case respondAndValidate(CacheReply, CacheExchange)
    /// Send `CacheExchange.request` to the origin, with the content of the caller's request if it has one, and pass the
    /// result to `CacheEngine.finish`.
    case send(CacheExchange)
    /// There is no response for the caller: report the transport's error, or send 502 or 504.
    case fail(CacheFailure)
}

/// The reason why there is no response for the caller.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum CacheFailure: Error, Sendable, Hashable {
    /// The policy forbids the network, and nothing is stored.
    case nothingStored
    /// The origin did not respond, and no stored response may be used instead.
    case unanswered
    /// The origin's response is not a possible response to the request.
    case rejected(reason: String)
}

/// A response for the caller.
public struct CacheReply: Sendable {
    /// Where a response is from.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// The origin; it may have been completed with stored bytes.
        case origin
        /// The store, after the origin confirmed it.
        case validated
        /// The store, without asking the origin.
        case stored
        /// The cache itself: a 504 (RFC 9111 §5.2.1.7).
        case generated
    }
    /// Status and header fields.
    public let head: HTTPResponse
    /// Content, with its content codings; empty for HEAD.
    public let content: [UInt8]
    /// Whether the content is complete; `false` if the origin's was interrupted, which the caller must be able to detect.
    public let isComplete: Bool
    /// Where it is from.
    public let source: Source
    /// The reason why the request went to the origin (RFC 9211 §2.2); `nil` for a hit.
    public let forwardReason: ForwardReason?
    /// Every rule that was evaluated, in order.
    public let findings: [Finding]
}

/// The result of a request to the origin.
public enum UpstreamReply: Sendable {
    /// A final response. Content is as received, with its content codings; `isComplete` is `false` if the connection
    /// ended before the length that was announced, or before the last chunk.
    case response(HTTPResponse, content: [UInt8], isComplete: Bool)
    /// No response: the origin was unreachable, timed out or closed the connection before the head.
    ///
    /// An unsafe request invalidates what is stored for its target, because the origin may have carried it out.
    case failure
    /// Bytes that are not an HTTP response.
    case invalid
}

/// A request that is being sent to the origin, between `CacheEngine.begin` and `CacheEngine.finish`.
public struct CacheExchange: Sendable {
    /// The request to send, with the preconditions or range that the engine added; its content is the caller's.
    public let request: HTTPRequest
    /// The plan that it belongs to.
    public let planned: PlannedRequest
    /// When it was sent.
    public let requestTime: HTTPDate
    /// The responses stored under the key when it was planned.
    let found: [StoredContent]
    /// The changes of the store before it was planned.
    let mark: Int
    /// Whether it is sent for a second time, after a 304 that matches no stored response.
    let isRetry: Bool

    init(
        _ planned: PlannedRequest,
        found: [StoredContent],
        mark: Int,
        at requestTime: HTTPDate,
        isRetry: Bool = false
    ) {
        self.planned = planned
        request = planned.sentRequest
        self.found = found
        self.mark = mark
        self.requestTime = requestTime
        self.isRetry = isRetry
    }

    /// Returns the exchange with what is stored by now, besides what the request asked about and is no longer stored.
    func renewed(with current: [StoredContent], besides former: [StoredContent] = []) -> CacheExchange {
        CacheExchange(
            planned.renewed(with: current.map(\.response), besides: former.map(\.response)),
            found: former + current,
            mark: mark,
            at: requestTime,
            isRetry: isRetry
        )
    }
}
