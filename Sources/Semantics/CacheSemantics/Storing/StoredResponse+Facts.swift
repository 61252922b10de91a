internal import HTTPTypes

extension StoredResponse {
    /// The parts of a stored response and the values that the engine needs, parsed once.
    final class Facts: Sendable {
        let key: CacheKey
        let variant: VariantKey
        let method: HTTPRequest.Method
        let selectingFields: HTTPFields
        let response: HTTPResponse
        let requestTime: HTTPDate
        let responseTime: HTTPDate
        let isInvalidated: Bool
        let parts: StoredParts?
        let contentOf: VariantKey?

        /// The response without `Age`, which each use appends.
        let responseWithoutAge: HTTPResponse
        let statusCode: Int
        let isCoded: Bool
        let hasGroups: Bool
        /// Parsed only once, because it may have thousands of names.
        let noVarySearch: NoVarySearch?
        let cacheControl: ResponseCacheControl
        /// The valid fields whose names end in `-Cache-Control`; usually empty.
        let targeted: [TargetedField]
        let vary: Vary
        /// The value to match for each name in `vary.names`.
        let selectingValues: [String?]
        /// The value of each name in `vary.names` as it was sent, if it was one line.
        let presentedValues: [String?]
        let date: HTTPDate
        let expires: Expiry?
        let hasSeveralExpires: Bool
        let lastModified: HTTPDate?
        let lastModifiedText: String?
        let entityTag: EntityTag?
        let initialAge: InitialAge

        init(
            key: CacheKey,
            variant: VariantKey,
            method: HTTPRequest.Method,
            selectingFields: HTTPFields,
            response: HTTPResponse,
            metadata: ResponseMetadata,
            requestTime: HTTPDate,
            isInvalidated: Bool,
            parts: StoredParts?,
            contentOf: VariantKey?
        ) {
            self.key = key
            self.variant = variant
            self.method = method
            self.selectingFields = selectingFields
            self.response = response
            self.requestTime = requestTime
            let responseTime = metadata.received
            self.responseTime = responseTime
            self.isInvalidated = isInvalidated
            self.parts = parts
            self.contentOf = contentOf
            statusCode = response.status.code
            var responseWithoutAge = response
            if metadata.hasAge { responseWithoutAge.headerFields[.age] = nil }
            self.responseWithoutAge = responseWithoutAge
            isCoded = metadata.hasContentEncoding
            hasGroups = metadata.hasGroups
            noVarySearch = metadata.hasNoVarySearch ? NoVarySearch(response.headerFields) : nil
            cacheControl = metadata.cacheControl
            targeted = metadata.targetNames.compactMap { TargetedField($0, in: response.headerFields) }
            let vary = metadata.vary
            self.vary = vary
            selectingValues = vary.names.map { Vary.value(of: $0, in: selectingFields) }
            presentedValues = vary.names.map { Self.onlyValue(of: $0, in: selectingFields) }
            date = metadata.date ?? responseTime
            hasSeveralExpires = metadata.hasSeveralExpires
            expires = metadata.expires
            let lastModified = metadata.lastModified
            self.lastModified = lastModified
            lastModifiedText = lastModified == nil ? nil : metadata.lastModifiedText
            entityTag = metadata.entityTag
            initialAge = InitialAge(metadata, requestTime: requestTime)
        }

        /// Returns the value of the field's only line; `nil` if there is none, or several, or if it is not ASCII.
        private static func onlyValue(of name: HTTPField.Name, in fields: HTTPFields) -> String? {
            let lines = fields[values: name]
            guard lines.count == 1, let value = lines.first else { return nil }
            return value.utf8.allSatisfy { $0 < 0x80 } ? value : nil
        }
    }
}
