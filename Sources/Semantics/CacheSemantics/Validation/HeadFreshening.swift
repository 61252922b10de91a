internal import HTTPTypes

extension Settling {
    /// Updates the stored responses that a HEAD could select from its 200, or makes them stale (§4.3.5).
    mutating func freshen(fromHead response: HTTPResponse) {
        guard response.status.code == 200, !reading.cacheControl.noStore else { return }
        for stored in planned.stored where stored.method == .get {
            guard engine.matches(stored, request.headerFields) else { continue }
            if let name = difference(response.headerFields, stored) {
                trace.note(.headInvalidates, true, .named("differs in", name.rawName))
                edits.append(.freshen(stored.invalidated()))
            } else {
                trace.note(.headFreshens, true, "no validator and no length differs")
                freshen(stored, with: response)
            }
        }
    }

    /// The first of the fields that HEAD has and that is not the same in the stored response.
    private func difference(_ head: HTTPFields, _ stored: StoredResponse) -> HTTPField.Name? {
        let known = stored.response.headerFields
        let validator = [.eTag, .lastModified].first { (name: HTTPField.Name) in
            head[name].map { $0 != known[name] } ?? false
        }
        if let validator { return validator }
        guard head.contains(.contentLength) else { return nil }
        // A response that came without Content-Length has a length all the same.
        let isEqual =
            head.announcedLength.map { $0 == known.announcedLength ?? stored.completeLength } ?? false
        return isEqual ? nil : .contentLength
    }
}
