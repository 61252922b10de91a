internal import HTTPTypes

extension CacheEngine {
    /// Returns a stored response with the fields and times of a newer response (§3.2).
    func updated(
        _ stored: StoredResponse,
        with response: HTTPResponse,
        request: HTTPRequest,
        sent: HTTPDate,
        received: HTTPDate
    ) -> StoredResponse {
        let fields = updatedFields(of: stored, with: response, received: received)
        let added = Vary(of: fields).names.filter { !stored.vary.names.contains($0) }
        let isSelected = matches(stored, request.headerFields)
        // Values of fields that Vary newly nominates are those of this request, if it selected the response. For another
        // variant they are unknown, so that variant has to be validated (§4.1).
        var selecting = stored.selectingFields
        for name in added where isSelected {
            selecting[fields: name] = kept(request.headerFields)[fields: name]
        }
        return stored.copy(
            selectingFields: selecting,
            response: HTTPResponse(status: stored.response.status, headerFields: fields),
            times: (sent, received),
            isInvalidated: !isSelected && (stored.isInvalidated || !added.isEmpty)
        )
    }

    /// Returns the fields of a stored response, updated from those of a newer response (§3.2).
    func updatedFields(of stored: StoredResponse, with response: HTTPResponse, received: HTTPDate)
        -> HTTPFields
    {
        var new = response.headerFields
        // RFC 9530 §3: it is of the selected representation, which only a strong validator proves to be the stored one.
        if new.contains(.reprDigest), !stored.isSameRepresentation(as: new) { new[.reprDigest] = nil }
        return StoredFields(self, response, updating: stored)
            .updated(stored.response.headerFields, with: new, received: received)
    }
}
