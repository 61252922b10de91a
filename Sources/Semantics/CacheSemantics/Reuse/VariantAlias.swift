internal import HTTPTypes

// A 304 with a strong entity tag may identify a stored response that the request could not select (§4.1). Both requests
// then have the same content. §4.3.4 updates only responses that the request could select, so that response is not
// freshened. Instead an alias is stored: a variant with its own selecting fields, header fields and times, and the
// content of the other.

extension Settling {
    /// Stores an alias to the content of another variant under the request's selecting fields; returns the alias.
    mutating func putAlias(of other: StoredResponse, with response: HTTPResponse) -> StoredResponse {
        let alias = engine.alias(of: other, with: response, for: request, sent: sent, received: received)
        let tag = other.entityTag?.text ?? ""
        trace.note(.variantAlias, true, .named("has the content of another variant,", tag))
        guard isAllowedByAuthorization(engine.control(of: alias.facts)) else { return alias }
        if metadata.cacheControl.noStore {
            trace.note(.requestNoStore, false, "the request has no-store, so nothing is stored")
        } else if mayStay(alias), !alias.vary.neverMatches, alias.parts == nil,
            alias.variant != alias.contentVariant, alias.key == planned.key
        {
            edits.append(.putAlias(alias))
        }
        return alias
    }
}

extension CacheEngine {
    /// Creates the alias of another variant from a 304 to a request.
    fileprivate func alias(
        of other: StoredResponse,
        with response: HTTPResponse,
        for request: HTTPRequest,
        sent: HTTPDate,
        received: HTTPDate
    ) -> StoredResponse {
        let fields = updatedFields(of: other, with: response, received: received)
        let vary = Vary(of: fields)
        let requestFields = kept(request.headerFields)
        return other.alias(
            variant: vary.variant(of: requestFields),
            selectingFields: vary.selectingFields(of: requestFields),
            response: HTTPResponse(status: other.response.status, headerFields: fields),
            requestTime: sent,
            responseTime: received
        )
    }
}

extension [StoredResponse] {
    /// The stored responses of a key without aliases whose content was removed or replaced by another representation;
    /// a client removes those during lookup.
    var withContentOfAliases: [StoredResponse] {
        guard contains(where: \.isAlias) else { return self }
        return compactMap { $0.isAlias ? $0.withContent(among: self) : $0 }
    }
}

extension StoredResponse {
    /// Whether the content is that of another variant of the same key.
    public var isAlias: Bool { facts.contentOf != nil }

    /// The variant whose content it has; its own unless it is an alias.
    public var contentVariant: VariantKey { facts.contentOf ?? variant }

    /// Returns the alias with the length of its content; `nil` if that is no longer stored.
    fileprivate func withContent(among stored: [StoredResponse]) -> StoredResponse? {
        guard let tag = entityTag,
            let source = stored.first(where: { $0.variant == contentVariant && !$0.isAlias }),
            source.parts == nil, source.entityTag?.matchesStrongly(tag) == true
        else { return nil }
        var alias = self
        alias.contentLength = source.contentLength
        return alias
    }
}
