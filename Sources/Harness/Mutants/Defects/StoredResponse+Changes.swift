import CacheSemantics
import HTTPTypes

extension StoredResponse {
    /// Returns this stored response with another head, other selecting fields or another time of the request.
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

    /// Returns this stored response with the fields of a 304 except its entity tag, as if it had just been received.
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

    /// Returns this stored response with changed fields.
    func changing(_ change: (inout HTTPFields) -> Void) -> StoredResponse {
        var response = response
        change(&response.headerFields)
        return with(response)
    }

    /// Returns this stored response with the values of `real` wherever it has those of `seen` instead.
    func restored(seen: HTTPResponse, as real: HTTPResponse) -> StoredResponse {
        var response = response
        // A part has the status of the whole response, whatever status the origin sent.
        if response.status == seen.status, parts == nil { response.status = real.status }
        response.headerFields = response.headerFields.restored(
            seen: seen.headerFields,
            as: real.headerFields
        )
        return with(response)
    }
}

extension Reuse {
    /// Returns the same reuse with another stored response, age or part.
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
    /// Returns the same with another plan, key or reason.
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
    /// Whether the plan serves a stored response.
    var isServed: Bool {
        if case .serve = self { return true }
        return false
    }
}
