public import HTTPTypes

/// What came of asking the origin.
public enum OriginReply: Sendable {
    /// A final response head; its content is still to come.
    case response(HTTPResponse, requestTime: HTTPDate, responseTime: HTTPDate)
    /// No response: unreachable, timed out, broken off before the head.
    case failure(requestTime: HTTPDate, responseTime: HTTPDate)
    /// A response that is not valid HTTP: nothing of it is used, and nothing stands in for it.
    case rejected(requestTime: HTTPDate, responseTime: HTTPDate)
}

/// What the caller gets, after the network.
public enum Answer: Sendable {
    /// The origin's response, with its content.
    case origin(HTTPResponse)
    /// A stored response, or a part of it, that the origin has just validated; `response` is the head to hand on.
    case validated(Reuse, response: HTTPResponse)
    /// A stored response with the bytes that the origin's content adds to it (RFC 9111 §3.4).
    case completed(Completion)
    /// A stored response in place of the origin's failure (RFC 9111 §4.2.4, RFC 5861 §4).
    case stored(Reuse)
    /// 504: the request forbade the origin, or a stored response exists but may not be used stale.
    case gatewayTimeout
    /// Nothing: the transport's error is the caller's.
    case unanswered
    /// The origin's answer to our preconditions is of no use: send `request`, which has none of them, again.
    case retry(HTTPRequest)
    /// The origin's response is not one that the request could have: the caller gets an error, a gateway's 502.
    case rejected(reason: String)
}

/// One change to the store.
public enum StoreEdit: Sendable {
    /// Store this response with the content that follows, in place of its `(key, variant)`.
    ///
    /// One with parts goes through `CacheEngine.joining` first, with what is stored by then.
    case put(StoredResponse)
    /// Store the parts that the content that follows consists of: `CacheEngine.separated` tells which, then `joining` what
    /// becomes of them.
    case putSeparated(StoredResponse, SeparatedRanges)
    /// Replace the metadata of the stored response of the same `(key, variant)`; its content stays.
    case freshen(StoredResponse)
    /// Store this response without content in place of its `(key, variant)`: it has that of the stored response of the
    /// same key that `StoredResponse.contentVariant` names.
    case putAlias(StoredResponse)
    /// Mark or remove every stored response of the target URI, whatever its credentials or content (RFC 9111 §4.4), and of
    /// every equivalent one: `CacheKey.normalizedTargetURI` tells which.
    case invalidate(CacheKey)
    /// Mark every stored response of an origin, scheme and authority, that is in one of the groups (RFC 9875).
    case invalidateGroups(origin: String, [String])
    /// Remove every stored response of an origin (W3C Clear Site Data).
    case clear(origin: String)
    /// Remove one stored response.
    case remove(CacheKey, VariantKey)
}

/// The answer, the changes to the store and why.
public struct Settlement: Sendable {
    /// What the caller gets.
    public let answer: Answer
    /// What the store is told, in order.
    public let edits: [StoreEdit]
    /// Every rule that was consulted, in order.
    public let findings: [Finding]

    /// Creates a settlement.
    public init(answer: Answer, edits: [StoreEdit], findings: [Finding]) {
        self.answer = answer
        self.edits = edits
        self.findings = findings
    }
}
