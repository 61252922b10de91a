public import HTTPTypes

/// A stored response without its content: immutable, shared, with its fields parsed once.
public struct StoredResponse: Sendable {
    /// The parts and the values parsed from them; a class, so that copying a stored response is one retain.
    let facts: Facts

    /// The length of the stored content in bytes; `nil` until it is stored.
    ///
    /// Set by the store, so that ranges can be resolved if no field has the length.
    public internal(set) var contentLength: Int64?

    /// The primary cache key.
    public var key: CacheKey { facts.key }
    /// Its variant key; `(key, variant)` identifies a stored response.
    public var variant: VariantKey { facts.variant }
    /// The method of the request that it answered.
    public var method: HTTPRequest.Method { facts.method }
    /// The header fields of the original request that `Vary` nominates.
    public var selectingFields: HTTPFields { facts.selectingFields }
    /// Status and header fields as stored.
    public var response: HTTPResponse { facts.response }
    /// When the request was sent, on the cache's clock.
    public var requestTime: HTTPDate { facts.requestTime }
    /// When the response was received, on the cache's clock.
    public var responseTime: HTTPDate { facts.responseTime }
    /// Whether an unsafe request has invalidated it, so that it must be validated before reuse (RFC 9111 §4.4).
    public var isInvalidated: Bool { facts.isInvalidated }
    /// The bytes of the representation that it has; `nil` for all.
    ///
    /// An incomplete response has the head of the complete one, including 200 as its status (RFC 9111 §3.3).
    public var parts: StoredParts? { facts.parts }

    /// Creates a stored response from its parts, as read back by a store.
    ///
    /// `contentOf` is the variant whose content an alias shares; `nil` for a response with its own content.
    public init(
        key: CacheKey,
        variant: VariantKey,
        method: HTTPRequest.Method,
        selectingFields: HTTPFields,
        response: HTTPResponse,
        requestTime: HTTPDate,
        responseTime: HTTPDate,
        isInvalidated: Bool = false,
        parts: StoredParts? = nil,
        contentOf: VariantKey? = nil
    ) {
        facts = Facts(
            key: key,
            variant: variant,
            method: method,
            selectingFields: selectingFields,
            response: response,
            metadata: ResponseMetadata(response.headerFields, received: responseTime),
            requestTime: requestTime,
            isInvalidated: isInvalidated,
            parts: parts,
            contentOf: contentOf
        )
    }

    init(_ facts: Facts) { self.facts = facts }

    /// Returns the stored response, invalidated: it must be validated before its next use (RFC 9111 §4.4).
    public func invalidated() -> StoredResponse { invalidated(true) }

    /// Returns the same stored response, invalidated or not.
    public func invalidated(_ isInvalidated: Bool) -> StoredResponse {
        isInvalidated == self.isInvalidated ? self : copy(isInvalidated: isInvalidated)
    }

    /// Returns the stored response with a content length.
    public func holding(contentLength: Int) -> StoredResponse {
        var copy = self
        copy.contentLength = Int64(contentLength)
        return copy
    }

    /// Returns the stored response with other times, fields or parts.
    func copy(
        selectingFields: HTTPFields? = nil,
        response: HTTPResponse? = nil,
        times: (request: HTTPDate, response: HTTPDate)? = nil,
        isInvalidated: Bool,
        parts: StoredParts?? = .none
    ) -> StoredResponse {
        var copy = StoredResponse(
            key: key,
            variant: variant,
            method: method,
            selectingFields: selectingFields ?? self.selectingFields,
            response: response ?? self.response,
            requestTime: times?.request ?? requestTime,
            responseTime: times?.response ?? responseTime,
            isInvalidated: isInvalidated,
            parts: parts ?? self.parts,
            contentOf: facts.contentOf
        )
        copy.contentLength = contentLength
        return copy
    }

    /// Returns an alias with the content of this one, or of the variant that this one is an alias of.
    func alias(
        variant: VariantKey,
        selectingFields: HTTPFields,
        response: HTTPResponse,
        requestTime: HTTPDate,
        responseTime: HTTPDate
    ) -> StoredResponse {
        var alias = StoredResponse(
            key: key,
            variant: variant,
            method: method,
            selectingFields: selectingFields,
            response: response,
            requestTime: requestTime,
            responseTime: responseTime,
            parts: parts,
            contentOf: contentVariant
        )
        alias.contentLength = contentLength
        return alias
    }

    /// Whether the other is identical to this stored response, not only equal.
    public func isIdentical(to other: StoredResponse) -> Bool { facts === other.facts }

    /// The directives of its `Cache-Control`.
    public var cacheControl: ResponseCacheControl { facts.cacheControl }
    /// Its `Date`; the response time if that is absent or invalid.
    public var date: HTTPDate { facts.date }
    /// The entity tag; `nil` if `ETag` is absent, repeated or invalid.
    public var entityTag: EntityTag? { facts.entityTag }
    /// Its `Last-Modified`, if that is valid.
    public var lastModified: HTTPDate? { facts.lastModified }
    /// The fields that `Vary` nominates, of all its lines.
    public var vary: Vary { facts.vary }
    /// The status code of the response.
    public var statusCode: Int { facts.statusCode }
    /// Whether the response has a `Content-Encoding`.
    public var isCoded: Bool { facts.isCoded }
    /// Whether an entity tag or a last modification date permits validation.
    public var hasValidator: Bool { facts.entityTag != nil || facts.lastModified != nil }
}
