internal import HTTPTypes

extension Settling {
    /// Updates the selected stored response from a 200 to HEAD, or makes it stale (§4.3.5).
    mutating func freshen(fromHead response: HTTPResponse) {
        guard response.status.code == 200, !reading.cacheControl.noStore, let stored = selected() else {
            return
        }
        if let name = difference(response.headerFields, stored.response.headerFields) {
            trace.note(.headInvalidates, true, .named("differs in", name.rawName))
            edits.append(.freshen(stored.invalidated()))
        } else {
            trace.note(.headFreshens, true, "no validator and no length differs")
            freshen(stored, with: response)
        }
    }

    /// The first of the fields that HEAD has and that is not the same in the stored response.
    private func difference(_ head: HTTPFields, _ stored: HTTPFields) -> HTTPField.Name? {
        [.eTag, .lastModified, .contentLength].first { (name: HTTPField.Name) in
            head[name].map { $0 != stored[name] } ?? false
        }
    }
}
