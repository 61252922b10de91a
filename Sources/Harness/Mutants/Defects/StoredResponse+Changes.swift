import CacheSemantics
import HTTPTypes

extension StoredResponse {
    /// The same stored response with another head, other selecting fields or another time of the request.
    func with(
        _ response: HTTPResponse? = nil,
        key: CacheKey? = nil,
        variant: VariantKey? = nil,
        selectingFields: HTTPFields? = nil,
        requestTime: HTTPDate? = nil,
        isInvalidated: Bool? = nil
    ) -> StoredResponse {
        let copy = StoredResponse(
            key: key ?? self.key,
            variant: variant ?? self.variant,
            method: method,
            selectingFields: selectingFields ?? self.selectingFields,
            response: response ?? self.response,
            requestTime: requestTime ?? self.requestTime,
            responseTime: responseTime,
            isInvalidated: isInvalidated ?? self.isInvalidated,
            parts: parts
        )
        return contentLength.map { copy.holding(contentLength: Int($0)) } ?? copy
    }

    /// The same stored response with the fields of a 304, its entity tag apart, as if it had just come.
    func updated(_ exchanged: Exchanged) -> StoredResponse {
        let moment = exchanged.received
        var response = response
        for field in exchanged.response?.headerFields ?? [:] where field.name != .eTag {
            response.headerFields[field.name] = field.value
        }
        response.headerFields[.date] = moment.text
        let copy = StoredResponse(
            key: key,
            variant: variant,
            method: method,
            selectingFields: selectingFields,
            response: response,
            requestTime: moment,
            responseTime: moment,
            parts: parts
        )
        return contentLength.map { copy.holding(contentLength: Int($0)) } ?? copy
    }

    /// The same stored response with fields changed.
    func changing(_ change: (inout HTTPFields) -> Void) -> StoredResponse {
        var response = response
        change(&response.headerFields)
        return with(response)
    }

    /// This stored response with what `real` has, wherever it has what `seen` shows in its place.
    func restored(seen: HTTPResponse, as real: HTTPResponse) -> StoredResponse {
        var response = response
        // A part has the status of the whole, whatever the origin's was.
        if response.status == seen.status, parts == nil { response.status = real.status }
        response.headerFields = response.headerFields.restored(
            seen: seen.headerFields,
            as: real.headerFields
        )
        return with(response)
    }
}

extension Reuse {
    /// The same reuse of another stored response, or with another age or part.
    func with(_ stored: StoredResponse? = nil, age: Int64? = nil, part: Part? = nil) -> Reuse {
        Reuse(
            stored: stored ?? self.stored,
            age: age ?? self.age,
            lifetime: lifetime,
            isStale: isStale,
            revalidation: revalidation,
            part: part ?? self.part
        )
    }
}

extension Planned {
    /// The same with another plan, key or reason.
    func with(_ plan: Plan? = nil, key: CacheKey? = nil, reason: ForwardReason? = nil) -> Planned {
        Planned(
            plan: plan ?? self.plan,
            request: request,
            policy: policy,
            key: key ?? self.key,
            stored: stored,
            findings: findings,
            forwardReason: reason ?? forwardReason ?? (plan?.isServed == false ? .miss : nil)
        )
    }
}

extension Plan {
    /// Whether the store answers.
    var isServed: Bool {
        if case .serve = self { return true }
        return false
    }
}
