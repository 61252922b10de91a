public import HTTPTypes

/// What came of asking the origin.
public enum OriginReply: Sendable {
    /// A final response head; its content is still to come.
    case response(HTTPResponse, requestTime: HTTPDate, responseTime: HTTPDate)
    /// No response: unreachable, timed out, broken off before the head.
    case failure(requestTime: HTTPDate, responseTime: HTTPDate)
}

/// What the caller gets, after the network.
public enum Answer: Sendable {
    /// The origin's response, with its content.
    case origin(HTTPResponse)
    /// A stored response that the origin has just validated; `response` has the freshened fields and `Age`.
    case validated(StoredResponse, response: HTTPResponse)
    /// A stored response in place of the origin's failure (RFC 9111 §4.2.4, RFC 5861 §4).
    case stored(Reuse)
    /// 504: the request forbade the origin, or a stored response exists but may not be used stale.
    case gatewayTimeout
    /// Nothing: the transport's error is the caller's.
    case unanswered
    /// The origin's 304 names none of the stored responses: send `request`, which has no preconditions, again.
    case retry(HTTPRequest)
}

/// One change to the store.
public enum StoreEdit: Sendable {
    /// Store this response with the content that follows, in place of its `(key, variant)`.
    case put(StoredResponse)
    /// Replace the metadata of the stored response of the same `(key, variant)`; its content stays.
    case freshen(StoredResponse)
    /// Mark or remove every stored response of the target URI, whatever its credentials or content (RFC 9111 §4.4).
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
