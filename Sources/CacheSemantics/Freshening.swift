internal import HTTPTypes

extension Settling {
    /// Settles a 304: the stored response it names is freshened and used (§4.3.3, §4.3.4).
    mutating func notModified(_ response: HTTPResponse) -> Settlement {
        guard let validation, !validation.candidates.isEmpty else { return callersNotModified(response) }
        let caller = CallerConditions(request)
        // One that repeats no validator may answer the caller's tags as well as ours, unless those are the same.
        let tags = validation.candidates.compactMap(\.entityTag)
        let matches = identify(response, among: validation.candidates, isOwn: caller.asksOnly(about: tags))
        guard let used = matches.first else {
            let tag = EntityTag(of: response.headerFields)
            if caller.matches(tag) || tag == nil && !tags.isEmpty && tags.allSatisfy(caller.matches) {
                return callersNotModified(response)
            }
            trace.note(
                .freshenNone,
                true,
                "the 304 names none of \(validation.candidates.count) stored responses"
            )
            return settlement(.retry(request))
        }
        if caller.hasNoneMatch, !caller.matches(used.entityTag) {
            trace.note(.callerTagOther, true, .named("not the caller's:", used.entityTag?.text ?? "none"))
        }
        let updated = freshen(used, with: response)
        for other in matches.dropFirst() { freshen(other, with: response) }
        trace.note(.validationNotModified, true, .named("validated", used.entityTag?.text ?? used.date.text))
        guard let part = part(of: updated) else { return settlement(.retry(request)) }
        let reuse = Reuse(
            stored: updated,
            age: CurrentAge(of: updated, now: received).seconds,
            lifetime: engine.lifetime(of: updated).seconds,
            isStale: false,
            revalidation: nil,
            part: part
        )
        return settlement(.validated(reuse, response: answer(reuse, response)))
    }

    /// The head of what is used after the origin's word, for the request that the word was asked for.
    func answer(_ reuse: Reuse, _ response: HTTPResponse) -> HTTPResponse {
        var answer = reuse.response
        // What no-cache and private keep out of the store is for the request that was answered (§5.2.2.4).
        for name in StoredFields(engine, response).namesNotForReuse {
            answer.headerFields[fields: name] = response.headerFields[fields: name]
        }
        return answer
    }

    /// A 304 to the caller's own preconditions is the caller's; it still freshens what it names.
    private mutating func callersNotModified(_ response: HTTPResponse) -> Settlement {
        trace.note(.callerConditionForwarded, true, "the 304 answers the caller's preconditions")
        if let selected = selected() {
            for match in identify(response, among: [selected], isOwn: false) {
                freshen(match, with: response)
            }
        }
        return settlement(.origin(response))
    }

    /// The stored responses that a 304 is about, the one to use first (§4.3.4).
    private mutating func identify(
        _ response: HTTPResponse,
        among candidates: [StoredResponse],
        isOwn: Bool
    ) -> [StoredResponse] {
        let fields = response.headerFields
        if let tag = EntityTag(of: fields) {
            return tag.isWeak ? weakMatch(tag, candidates) : strongMatches(tag, candidates)
        }
        if let date = fields[.lastModified].flatMap({ HTTPDate(parsing: $0, now: received) }) {
            let matches = candidates.filter { $0.lastModified == date }
            trace.note(.freshenWeak, !matches.isEmpty, .named("Last-Modified", date.text))
            return mostRecent(matches)
        }
        // Deviation: §4.3.4 speaks of a stored response that has no validator either. A 304 need not repeat
        // Last-Modified (RFC 9110 §15.4.5), and there was only one it can answer to.
        guard isOwn, candidates.count == 1 else { return [] }
        trace.note(.freshenOnlyCandidate, true, "the only stored response that was asked about")
        return candidates
    }

    private mutating func strongMatches(_ tag: EntityTag, _ candidates: [StoredResponse]) -> [StoredResponse]
    {
        let matches = candidates.filter { $0.entityTag?.matchesStrongly(tag) == true }
        trace.note(.freshenStrong, !matches.isEmpty, .named("\(matches.count) stored with", tag.text))
        trace.note(.entityTagStrong, !matches.isEmpty, .named("entity tag", tag.text))
        // Candidates come with the selected one first, then by age: so do the matches.
        return matches
    }

    private mutating func weakMatch(_ tag: EntityTag, _ candidates: [StoredResponse]) -> [StoredResponse] {
        let matches = candidates.filter { $0.entityTag?.matchesWeakly(tag) == true }
        trace.note(.freshenWeak, !matches.isEmpty, .named("\(matches.count) stored with", tag.text))
        trace.note(.entityTagWeak, !matches.isEmpty, .named("entity tag", tag.text))
        return mostRecent(matches)
    }

    private func mostRecent(_ matches: [StoredResponse]) -> [StoredResponse] {
        matches.max { CacheEngine.isMoreRecent($1, than: $0) }.map { [$0] } ?? []
    }

    /// Updates one stored response and tells the store, unless a no-store forbids keeping it.
    @discardableResult
    mutating func freshen(_ stored: StoredResponse, with response: HTTPResponse) -> StoredResponse {
        let updated = engine.updated(stored, with: response, request: request, sent: sent, received: received)
        // What is for an authorized user alone leaves the stored response as it was.
        guard isAllowedByAuthorization(engine.control(of: updated.facts)) else { return updated }
        if reading.cacheControl.noStore {
            trace.note(.requestNoStore, false, "the request has no-store, so nothing is updated")
        } else if mayStay(updated) {
            trace.note(.updateReplacesFields, true, .named("updated, Date", updated.date.text))
            edits.append(.freshen(updated))
        } else {
            trace.note(.storeNotForbidden, false, "the update forbids storing")
            edits.append(.remove(stored.key, stored.variant))
        }
        return updated
    }

    func mayStay(_ updated: StoredResponse) -> Bool {
        let control = engine.control(of: updated.facts)
        if control.noStore && !(control.mustUnderstand && updated.response.status.isUnderstood) {
            return false
        }
        return engine.kind == .private || control.privateScope != .everything
    }
}

extension CacheEngine {
    /// A stored response with the fields and times of a newer response (§3.2).
    func updated(
        _ stored: StoredResponse,
        with response: HTTPResponse,
        request: HTTPRequest,
        sent: HTTPDate,
        received: HTTPDate
    ) -> StoredResponse {
        let fields = StoredFields(self, response)
            .updated(stored.response.headerFields, with: response.headerFields, received: received)
        let added = Vary(fields[values: .vary]).names.filter { !stored.vary.names.contains($0) }
        let isSelected = matches(stored, request.headerFields)
        // Names that Vary nominates only now have their values in this request, if that is what the response answers;
        // the values of another variant's request are not known, so that one is validated first (§4.1).
        var selecting = stored.selectingFields
        for name in added where isSelected {
            selecting[fields: name] = kept(request.headerFields)[fields: name]
        }
        return stored.copy(
            selectingFields: selecting,
            response: HTTPResponse(status: stored.response.status, headerFields: fields),
            requestTime: sent,
            responseTime: received,
            isInvalidated: !isSelected && (stored.isInvalidated || !added.isEmpty)
        )
    }
}
