internal import HTTPTypes

extension StoredResponse {
    /// What an `Expires` field says.
    enum Expiry: Sendable, Equatable {
        case moment(HTTPDate)
        case invalid

        /// The earlier of two; an invalid one is the earliest (§4.2.1).
        func earlier(_ other: Expiry?) -> Expiry {
            guard case .moment(let mine) = self, let other else { return self }
            guard case .moment(let theirs) = other else { return .invalid }
            return .moment(min(mine, theirs))
        }
    }

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

        /// The response less its `Age`, to which each use appends its own.
        let responseWithoutAge: HTTPResponse
        let statusCode: Int
        let isCoded: Bool
        let cacheControl: ResponseCacheControl
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
            requestTime: HTTPDate,
            responseTime: HTTPDate,
            isInvalidated: Bool,
            parts: StoredParts?
        ) {
            self.key = key
            self.variant = variant
            self.method = method
            self.selectingFields = selectingFields
            self.response = response
            self.requestTime = requestTime
            self.responseTime = responseTime
            self.isInvalidated = isInvalidated
            self.parts = parts

            let fields = response.headerFields
            statusCode = response.status.code
            var responseWithoutAge = response
            responseWithoutAge.headerFields[.age] = nil
            self.responseWithoutAge = responseWithoutAge
            isCoded = fields.contains(.contentEncoding)
            cacheControl = ResponseCacheControl(fields[values: .cacheControl])
            let vary = Vary(fields[values: .vary])
            self.vary = vary
            selectingValues = vary.names.map { Vary.value(of: $0, in: selectingFields) }
            presentedValues = vary.names.map { name in
                let lines = selectingFields[values: name]
                return lines.count == 1 ? lines.first : nil
            }
            let date = Facts.date(fields[.date], now: responseTime) ?? responseTime
            self.date = date
            let expires = fields[values: .expires]
            hasSeveralExpires = Set(expires).count > 1
            self.expires = Facts.expiry(expires, now: responseTime)
            lastModified = Facts.date(fields[.lastModified], now: responseTime)
            lastModifiedText = lastModified == nil ? nil : fields[.lastModified]
            entityTag = fields[.eTag].flatMap { EntityTag(parsing: $0) }
            apparentAge = max(0, responseTime.seconds(since: date))
            let delay = max(0, responseTime.seconds(since: requestTime))
            correctedAge = CurrentAge.sum(Facts.age(fields[values: .age]), delay)
        }

        private static func date(_ text: String?, now: HTTPDate) -> HTTPDate? {
            text.flatMap { HTTPDate(parsing: $0, now: now) }
        }

        private static func expiry(_ lines: [String], now: HTTPDate) -> Expiry? {
            lines.map { HTTPDate(parsing: $0, now: now).map(Expiry.moment) ?? .invalid }
                .reduce(nil) { $1.earlier($0) }
        }

        /// The first member of the field; 0 if it is missing or no number (§5.1).
        private static func age(_ lines: [String]) -> Int64 {
            FieldList.members(of: lines).first.flatMap { DeltaSeconds(parsing: $0) }?.seconds ?? 0
        }
    }
}
