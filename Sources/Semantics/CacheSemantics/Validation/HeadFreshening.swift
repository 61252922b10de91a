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
            } else if isLimited(stored, by: response) {
                trace.note(.headInvalidates, true, "the update restricts who may use it")
                edits.append(.freshen(stored.invalidated()))
            } else {
                trace.note(.headFreshens, true, "validators and length are unchanged")
                freshen(stored, with: response)
            }
        }
    }

    /// Whether a stored response may stay, but the update restricts which requests it may answer, by what its own request had.
    ///
    /// That is fields that Vary names only now (§4.1), or credentials (§3.5), which may be unknown by now.
    ///
    /// With the same strong entity tag the stored content is right for the HEAD request, too, as after a 304.
    private mutating func isLimited(_ stored: StoredResponse, by response: HTTPResponse) -> Bool {
        guard !stored.isSameRepresentation(as: response.headerFields) else { return false }
        let updated = engine.updated(stored, with: response, request: request, sent: sent, received: received)
        guard mayStay(updated) else { return false }
        if updated.vary.names.contains(where: { !stored.vary.names.contains($0) }) {
            return !trace.note(.varyMatches, false, "Vary names further fields, whose values are unknown")
        }
        guard engine.kind == .shared || engine.servesSeveralUsers,
            engine.permitsSharing(engine.control(of: stored.facts)),
            !engine.permitsSharing(engine.control(of: updated.facts))
        else { return false }
        return !trace.note(.authorizationInShared, false, "the permission to share the response is withdrawn")
    }

    /// Returns the name of the first field of the HEAD response that differs in the stored response.
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
