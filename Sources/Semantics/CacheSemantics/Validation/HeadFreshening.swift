internal import HTTPTypes

extension Settling {
    /// Updates the stored responses that a HEAD could select from its 200, or invalidates them (§4.3.5).
    mutating func freshen(fromHead response: HTTPResponse) {
        guard response.status.code == 200, !metadata.cacheControl.noStore else { return }
        for stored in planned.stored where stored.method == .get {
            guard engine.matches(stored, request.headerFields) else { continue }
            if let name = difference(response.headerFields, stored) {
                trace.note(.headInvalidates, true, .named("differs in", name.rawName))
                edits.append(.freshen(stored.invalidated()))
            } else {
                trace.note(.headFreshens, true, "validators and length are unchanged")
                freshen(stored, with: response)
            }
        }
    }

    /// The first field of the HEAD response that differs in the stored response.
    private func difference(_ head: HTTPFields, _ stored: StoredResponse) -> HTTPField.Name? {
        let known = stored.response.headerFields
        let validator = [.eTag, .lastModified].first { (name: HTTPField.Name) in
            head[name].map { $0 != known[name] } ?? false
        }
        if let validator { return validator }
        guard head.contains(.contentLength) else { return nil }
        // A response without Content-Length still has a length.
        let isEqual =
            head.announcedLength.map { $0 == known.announcedLength ?? stored.completeLength } ?? false
        return isEqual ? nil : .contentLength
    }
}
