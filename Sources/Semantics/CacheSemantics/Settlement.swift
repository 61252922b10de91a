public import HTTPTypes

/// The origin's response, or the failure to get one.
public enum OriginReply: Sendable {
    /// A final response head; its content follows.
    case response(HTTPResponse, requestTime: HTTPDate, responseTime: HTTPDate)
    /// No response, because the request could not be sent: the origin was unreachable.
    case failure(requestTime: HTTPDate, responseTime: HTTPDate)
    /// No response to a request that the origin may have carried out, because it timed out, the connection closed before the
    /// head, or the caller left; an unsafe one invalidates what is stored for its target.
    case unanswered(requestTime: HTTPDate, responseTime: HTTPDate)
    /// A response that is not valid HTTP; it is discarded, and no stored response replaces it.
    case rejected(requestTime: HTTPDate, responseTime: HTTPDate)

    /// When the request was sent, and when the head of the response arrived or the lack of one was noticed.
    package var times: (sent: HTTPDate, received: HTTPDate) {
        switch self {
        case .response(_, let sent, let received), .failure(let sent, let received),
            .unanswered(let sent, let received), .rejected(let sent, let received):
            (sent, received)
        }
    }
}

/// The response for the caller, after the network.
public enum CallerOutcome: Sendable {
    /// The origin's response, with its content.
    case origin(HTTPResponse)
    /// A stored response, or a part of it, that the origin has just validated; `response` is the head to send.
    case validated(Reuse, response: HTTPResponse)
    /// A stored response completed with bytes of the origin's response (RFC 9111 §3.4).
    case completed(Completion)
    /// A stored response in place of an error or failure (RFC 9111 §4.2.4, RFC 5861 §4).
    case stored(Reuse)
    /// 504: the request forbade the origin, or a stored response exists but may not be used stale.
    case gatewayTimeout
    /// No response; the transport's error is reported to the caller.
    case unanswered
    /// The origin's response to the added preconditions is unusable: send this request, which is without them.
    case retry(HTTPRequest)
    /// The origin's response is not a possible response to the request: the caller gets an error, a gateway sends 502.
    case rejected(reason: String)
}

/// One change to the store.
public enum StoreEdit: Sendable {
    /// Store this response with the content that follows, replacing its `(key, variant)`.
    ///
    /// A partial response has to pass through `CacheEngine.joining` first, with the response that is stored then; `joined` does
    /// the same with content in memory. If the response has `parts`, content of another length than `parts.count` is not stored:
    /// the response contradicts its Content-Range. Content that ended early is stored as specified by `CacheEngine.incomplete`.
    case put(StoredResponse)
    /// Store the parts of the multipart content that follows: `CacheEngine.separated` returns them, then `joining`
    /// combines them with what is stored.
    case putSeparated(StoredResponse, SeparatedRanges)
    /// Replace the metadata of the stored response of the same `(key, variant)`; its content stays.
    ///
    /// Do nothing if another response has been stored for its key and variant since `plan`, or if it was invalidated
    /// since. To update the response that is stored by then, as §4.3.4 requires for a 304 and §4.3.5 for a response to
    /// HEAD:
    ///
    /// 1. Look the key up again before `settle`.
    /// 2. Plan with the found responses and the policy `reloadRevalidatingCacheData`.
    /// 3. Settle that plan.
    case freshen(StoredResponse)
    /// Store this response without content, replacing its `(key, variant)`; it shares the content of the stored response
    /// of the same key that `StoredResponse.contentVariant` names.
    case putAlias(StoredResponse)
    /// Mark or remove every stored response of the target URI and of all URIs with the same
    /// `CacheKey.normalizedTargetURI`, regardless of their credentials or content (RFC 9111 §4.4).
    case invalidate(CacheKey)
    /// Mark every stored response of an origin that is in one of the groups (RFC 9875).
    case invalidateGroups(origin: String, [String])
    /// Remove every stored response of an origin (W3C Clear Site Data).
    case clear(origin: String)
    /// Remove one stored response.
    case remove(CacheKey, VariantKey)
}

/// The outcome for the caller, the changes to the store, and the findings.
public struct Settlement: Sendable {
    /// The response for the caller.
    public let answer: CallerOutcome
    /// The changes to the store, in order.
    public let edits: [StoreEdit]
    /// Every rule that was evaluated, in order.
    public let findings: [Finding]

    /// Creates a settlement.
    public init(answer: CallerOutcome, edits: [StoreEdit], findings: [Finding]) {
        self.answer = answer
        self.edits = edits
        self.findings = findings
    }
}
