import CacheSemantics
import HTTPTypes

/// The parts of a stored response, which a defect changes.
struct EntryParts {
    var key: CacheKey
    var variant: VariantKey
    var selectingFields: HTTPFields
    var response: HTTPResponse
    var requestTime: HTTPDate
    var responseTime: HTTPDate
    var isInvalidated: Bool
}

extension StoredResponse {
    /// Returns this stored response with another part.
    func with<Value>(_ part: WritableKeyPath<EntryParts, Value>, _ value: Value) -> StoredResponse {
        changed { $0[keyPath: part] = value }
    }

    private func changed(_ change: (inout EntryParts) -> Void) -> StoredResponse {
        var changed = EntryParts(
            key: key,
            variant: variant,
            selectingFields: selectingFields,
            response: response,
            requestTime: requestTime,
            responseTime: responseTime,
            isInvalidated: isInvalidated
        )
        change(&changed)
        let copy = StoredResponse(
            key: changed.key,
            variant: changed.variant,
            method: method,
            selectingFields: changed.selectingFields,
            response: changed.response,
            requestTime: changed.requestTime,
            responseTime: changed.responseTime,
            isInvalidated: changed.isInvalidated,
            parts: parts
        )
        return contentLength.map { copy.holding(contentLength: Int($0)) } ?? copy
    }

    /// Returns this stored response with the fields of a 304 except its entity tag, as if it had just been received.
    func updated(_ exchanged: Exchanged) -> StoredResponse {
        let moment = exchanged.received
        return changed { parts in
            for field in exchanged.response?.headerFields ?? [:] where field.name != .eTag {
                parts.response.headerFields[field.name] = field.value
            }
            parts.response.headerFields[.date] = moment.text
            (parts.requestTime, parts.responseTime, parts.isInvalidated) = (moment, moment, false)
        }
    }

    /// Returns this stored response with changed fields.
    func changing(_ change: (inout HTTPFields) -> Void) -> StoredResponse {
        var response = response
        change(&response.headerFields)
        return with(\.response, response)
    }

    /// Returns this stored response with the values of `real` wherever it has those of `seen` instead.
    func restored(seen: HTTPResponse, as real: HTTPResponse) -> StoredResponse {
        var response = response
        // A part has the status of the whole response, regardless of the origin's status.
        if response.status == seen.status, parts == nil { response.status = real.status }
        response.headerFields = response.headerFields.restored(seen: seen.headerFields, as: real.headerFields)
        return with(\.response, response)
    }
}

extension Reuse {
    /// Returns the same reuse with another stored response, age or part.
    func with(_ stored: StoredResponse? = nil, age: Int64? = nil, part: Part? = nil) -> Reuse {
        var reuse = self
        reuse.stored = stored ?? self.stored
        reuse.age = age ?? self.age
        reuse.part = part ?? self.part
        return reuse
    }
}

extension PlannedRequest {
    /// Returns the same with another plan, key or reason.
    func with(_ plan: Plan? = nil, key: CacheKey? = nil, reason: ForwardReason? = nil) -> PlannedRequest {
        var planned = self
        planned.plan = plan ?? self.plan
        planned.key = key ?? self.key
        planned.forwardReason = reason ?? forwardReason ?? (plan?.isServed == false ? .miss : nil)
        return planned
    }
}

extension Plan {
    /// Whether the plan serves a stored response.
    var isServed: Bool {
        if case .serve = self { return true }
        return false
    }
}
