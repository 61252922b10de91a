internal import HTTPTypes

extension StoredResponse {
    /// The parts of a stored response and what the engine asks of them, parsed once.
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

        /// The response less its `Age`, to which each use appends its own.
        let responseWithoutAge: HTTPResponse
        let statusCode: Int
        let isCoded: Bool
        let hasGroups: Bool
        let hasNoVarySearch: Bool
        let cacheControl: ResponseCacheControl
        /// The valid fields whose names end in `-Cache-Control`; empty for nearly all.
        let targeted: [TargetedField]
        let vary: Vary
        /// For each name in `vary.names` the value to match.
        let selectingValues: [String?]
        /// For each name in `vary.names` its value as it was sent, if that was one line.
        let presentedValues: [String?]
        let date: HTTPDate
        let expires: Expiry?
        let hasSeveralExpires: Bool
        let lastModified: HTTPDate?
        let lastModifiedText: String?
        let entityTag: EntityTag?
        let apparentAge: Int64
        let correctedAge: Int64

        init(
            key: CacheKey,
            variant: VariantKey,
            method: HTTPRequest.Method,
            selectingFields: HTTPFields,
            response: HTTPResponse,
            reading: ResponseReading,
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
            let responseTime = reading.received
            self.responseTime = responseTime
            self.isInvalidated = isInvalidated
            self.parts = parts
            self.contentOf = contentOf
            statusCode = response.status.code
            var responseWithoutAge = response
            if reading.hasAge { responseWithoutAge.headerFields[.age] = nil }
            self.responseWithoutAge = responseWithoutAge
            isCoded = reading.hasContentEncoding
            hasGroups = reading.hasGroups
            hasNoVarySearch = reading.hasNoVarySearch
            cacheControl = reading.cacheControl
            targeted = reading.targetNames.compactMap { TargetedField($0, in: response.headerFields) }
            let vary = reading.vary
            self.vary = vary
            selectingValues = vary.names.map { Vary.value(of: $0, in: selectingFields) }
            presentedValues = vary.names.map { name in
                let lines = selectingFields[values: name]
                return lines.count == 1
                    ? lines.first.flatMap { $0.utf8.allSatisfy { $0 < 0x80 } ? $0 : nil } : nil
            }
            let date = reading.date ?? responseTime
            self.date = date
            hasSeveralExpires = reading.hasSeveralExpires
            expires = reading.expires
            let lastModified = reading.lastModified
            self.lastModified = lastModified
            lastModifiedText = lastModified == nil ? nil : reading.lastModifiedText
            entityTag = reading.entityTag
            apparentAge = max(0, responseTime.seconds(since: date))
            let delay = max(0, responseTime.seconds(since: requestTime))
            correctedAge = CurrentAge.sum(reading.age ?? 0, delay)
        }
    }
}
