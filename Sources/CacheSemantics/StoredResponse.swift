public import HTTPTypes

/// A stored response without its content: immutable, shared, with everything the engine asks for parsed once.
public struct StoredResponse: Sendable {
    /// The primary cache key.
    public let key: CacheKey
    /// Which variant of the key this is; `(key, variant)` identifies a stored response.
    public let variant: VariantKey
    /// The method of the request that it answered.
    public let method: HTTPRequest.Method
    /// The header fields of the original request that `Vary` nominates.
    public let selectingFields: HTTPFields
    /// Status and header fields as stored.
    public let response: HTTPResponse
    /// When the request was sent, on the cache's clock.
    public let requestTime: HTTPDate
    /// When the response was received, on the cache's clock.
    public let responseTime: HTTPDate
    /// Whether an unsafe request has invalidated it, so that it must be validated before reuse (RFC 9111 §4.4).
    public let isInvalidated: Bool

    /// Creates a stored response from its parts, as a store does that has read them back.
    public init(
        key: CacheKey,
        variant: VariantKey,
        method: HTTPRequest.Method,
        selectingFields: HTTPFields,
        response: HTTPResponse,
        requestTime: HTTPDate,
        responseTime: HTTPDate,
        isInvalidated: Bool = false
    ) {
        self.key = key
        self.variant = variant
        self.method = method
        self.selectingFields = selectingFields
        self.response = response
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.isInvalidated = isInvalidated
    }
}
