internal import HTTPTypes

extension Settling {
    /// The stored responses that a 304 identifies (§4.3.4).
    private enum Identified {
        /// Responses that the request could select; the one to use is first.
        case selectable([StoredResponse])
        /// A response that the request could not select, with the same content according to a strong validator.
        case otherVariant(StoredResponse)
        case nothing
    }

    /// Settles a 304: the stored response that it identifies is freshened and used (§4.3.3, §4.3.4).
    mutating func notModified(_ response: HTTPResponse) -> Settlement {
        guard let validation, !validation.candidates.isEmpty else { return callersNotModified(response) }
        // Without a validator it may refer to the caller's tags or to the added ones, unless those are the same or only the
        // added ones were sent, as in the background.
        let tags = validation.candidates.compactMap(\.entityTag)
        let isOwn = CallerConditions(validation.request).asksOnly(about: tags)
        for part in unaskedParts(response, besides: validation.candidates) { freshen(part, with: response) }
        switch identify(response, among: validation.candidates, isOwn: isOwn) {
        case .selectable(let matches):
            guard let used = matches.first else { return unusable(response, tags) }
            noteOtherTag(used)
            let updated = freshen(used, with: response)
            for other in matches.dropFirst() { freshen(other, with: response) }
            return validated(updated, response)
        case .otherVariant(let other):
            noteOtherTag(other)
            return validated(putAlias(of: other, with: response), response)
        case .nothing:
            return unusable(response, tags)
        }
    }

    /// Returns the outcome with a stored response that the origin has just validated.
    private mutating func validated(_ updated: StoredResponse, _ response: HTTPResponse) -> Settlement {
        trace.note(
            .validationNotModified,
            true,
            .named("validated", updated.entityTag?.text ?? updated.date.text)
        )
        guard let part = part(of: updated) else { return settlement(.retry(request)) }
        let reuse = use(of: updated, part)
        return settlement(.validated(reuse, response: answer(reuse, response)))
    }

    /// Passes a 304 that identifies no stored response to the caller, or sends the request again without the added tags.
    private mutating func unusable(_ response: HTTPResponse, _ tags: [EntityTag]) -> Settlement {
        let caller = CallerConditions(request)
        let tag = EntityTag(of: response.headerFields)
        if caller.matches(tag) || tag == nil && !tags.isEmpty && tags.allSatisfy(caller.matches) {
            return callersNotModified(response)
        }
        trace.note(.freshenNone, true, .named("the 304 names no stored response:", tag?.text ?? "no tag"))
        return settlement(.retry(request))
    }

    private mutating func noteOtherTag(_ used: StoredResponse) {
        let caller = CallerConditions(request)
        guard caller.hasNoneMatch, !caller.matches(used.entityTag) else { return }
        trace.note(
            .callerTagOther,
            true,
            .named("not among the caller's tags:", used.entityTag?.text ?? "none")
        )
    }

    /// Returns the head of a validated or completed stored response, for the request that caused the validation.
    func answer(_ reuse: Reuse, _ response: HTTPResponse) -> HTTPResponse {
        var answer = reuse.response
        // Fields that no-cache and private exclude from storage are for the current request (§5.2.2.4).
        for name in StoredFields(engine, response, updating: reuse.stored).namesNotForReuse {
            answer.headerFields[fields: name] = response.headerFields[fields: name]
        }
        return answer
    }

    /// Settles a 304 to the caller's own preconditions, which still freshens the response that it identifies.
    private mutating func callersNotModified(_ response: HTTPResponse) -> Settlement {
        trace.note(.callerConditionForwarded, true, "the 304 answers the caller's preconditions")
        if case .selectable(let matches) = identify(response, among: planned.stored, isOwn: false) {
            for match in matches { freshen(match, with: response) }
        }
        return settlement(.origin(response))
    }

    /// Finds the stored responses that a 304 identifies (§4.3.4).
    private mutating func identify(
        _ response: HTTPResponse,
        among candidates: [StoredResponse],
        isOwn: Bool
    ) -> Identified {
        var selectable = self.selectable(candidates + unasked(candidates).filter { $0.parts == nil })
        let fields = response.headerFields
        if let tag = EntityTag(of: fields) {
            return tag.isWeak ? weakMatch(tag, selectable) : strongMatches(tag, selectable, among: candidates)
        }
        if fields.contains(.eTag) {
            // A malformed tag identifies at most what was stored with the same text; see
            // `http/4.3.4-freshening/selection/malformed-tag`.
            let text = fields[values: .eTag]
            selectable = selectable.filter { $0.response.headerFields[values: .eTag] == text }
        }
        if let date = fields[.lastModified].flatMap({ HTTPDate(parsing: $0, now: received) }) {
            let matches = modified(date, among: selectable, asked: candidates)
            trace.note(.freshenWeak, !matches.isEmpty, .named("Last-Modified", date.text))
            return mostRecent(matches)
        }
        if let only = selectable.first, !only.hasValidator, isOnlySelectable(only) {
            trace.note(.freshenOnlyCandidate, true, "the only stored response, without a validator")
            return .selectable([only])
        }
        guard candidates.count == 1,
            let asked = selectable.first(where: { $0.variant == candidates[0].variant })
        else { return .nothing }
        // Deviation: §4.3.4 speaks of a stored response that has no validator either. A 304 need not repeat
        // Last-Modified (RFC 9110 §15.4.5), and there was only one it can answer to; see
        // `http/4.3.4-freshening/selection/no-validator-freshens-only-candidate`.
        guard isOwn, isOnlySelectable(candidates[0]) else { return .nothing }
        trace.note(.freshenOnlyCandidate, true, "the only stored response that was validated")
        return .selectable([asked])
    }

    /// Whether the request could select no other stored response, which the 304 might mean as well.
    private func isOnlySelectable(_ candidate: StoredResponse) -> Bool {
        planned.stored.allSatisfy { other in
            other.variant == candidate.variant || !engine.matches(other, request.headerFields)
        }
    }

    /// Returns the stored responses that the request did not ask about; a 304 may name them all the same.
    private func unasked(_ candidates: [StoredResponse]) -> [StoredResponse] {
        planned.stored.filter { stored in
            stored.method == request.storedMethod
                && !candidates.contains { $0.variant == stored.variant }
        }
    }

    /// Returns the incomplete ones of them that a strong tag names.
    ///
    /// They lack bytes that the request needs, but could be chosen for it otherwise, so that they are updated as well.
    private func unaskedParts(_ response: HTTPResponse, besides candidates: [StoredResponse])
        -> [StoredResponse]
    {
        guard let tag = EntityTag(of: response.headerFields) else { return [] }
        let parts = unasked(candidates).filter { $0.parts != nil }
        return selectable(parts.filter { $0.entityTag?.matchesStrongly(tag) == true })
    }

    /// Returns those with a Last-Modified date; if tags were sent, which decide alone (RFC 9110 §13.2.2), only those that
    /// were asked about.
    private func modified(
        _ date: HTTPDate,
        among selectable: [StoredResponse],
        asked candidates: [StoredResponse]
    ) -> [StoredResponse] {
        let matches = selectable.filter { $0.lastModified == date }
        let asked = matches.filter { match in candidates.contains { $0.variant == match.variant } }
        let hasTags = validation?.request.headerFields.contains(.ifNoneMatch) ?? false
        return asked.isEmpty && !hasTags ? matches : asked
    }

    /// Returns the initial set of §4.3.4: those that could have been chosen for the request, the selected one first.
    private func selectable(_ candidates: [StoredResponse]) -> [StoredResponse] {
        let selected = selected()?.variant
        return candidates.filter {
            $0.variant == selected || engine.matches($0, request.headerFields)
        }
    }

    private mutating func strongMatches(
        _ tag: EntityTag,
        _ selectable: [StoredResponse],
        among candidates: [StoredResponse]
    ) -> Identified {
        let matches = selectable.filter { $0.entityTag?.matchesStrongly(tag) == true }
        // What was stored for other selecting fields while the request was under way was not asked about.
        let isAsked = validation.map { CallerConditions($0.request).matches(tag) } ?? false
        let other =
            matches.isEmpty && isAsked
            ? candidates.first { $0.entityTag?.matchesStrongly(tag) == true } : nil
        let isFound = !matches.isEmpty || other != nil
        trace.note(.freshenStrong, isFound, .named("\(matches.count) stored with", tag.text))
        trace.note(.entityTagStrong, isFound, .named("entity tag", tag.text))
        guard let other else { return matches.isEmpty ? .nothing : .selectable(matches) }
        return .otherVariant(other)
    }

    private mutating func weakMatch(_ tag: EntityTag, _ selectable: [StoredResponse]) -> Identified {
        let matches = selectable.filter { $0.entityTag?.matchesWeakly(tag) == true }
        trace.note(
            .freshenWeak,
            !matches.isEmpty,
            .named("\(matches.count) stored with", tag.text)
        )
        trace.note(.entityTagWeak, !matches.isEmpty, .named("entity tag", tag.text))
        return mostRecent(matches)
    }

    /// Returns the most recent of those that are stored or, if none is, of those that the request asked about.
    private func mostRecent(_ matches: [StoredResponse]) -> Identified {
        let stored = matches.filter { !planned.former.contains($0.variant) }
        return (stored.isEmpty ? matches : stored).max { CacheEngine.isMoreRecent($1, than: $0) }
            .map { .selectable([$0]) } ?? .nothing
    }

    /// Updates a stored response in the store, unless a no-store forbids it; returns the updated response.
    @discardableResult
    mutating func freshen(_ stored: StoredResponse, with response: HTTPResponse) -> StoredResponse {
        var updated = engine.updated(stored, with: response, request: request, sent: sent, received: received)
        // §4.4: a response to HEAD is no validation, so what an unsafe request has invalidated stays so.
        if response.status.code != 304, stored.isInvalidated { updated = updated.invalidated() }
        guard isAllowedByAuthorization(engine.control(of: updated.facts)) else {
            dropWithdrawn(stored)
            return updated
        }
        if metadata.cacheControl.noStore {
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

    /// Removes a stored response whose permission to be shared a response to an authorized request has withdrawn (§3.5).
    ///
    /// A response that was stored without this permission is not only for authorized users. It stays unchanged: fields for
    /// one user do not update it.
    private mutating func dropWithdrawn(_ stored: StoredResponse) {
        guard engine.permitsSharing(engine.control(of: stored.facts)) else { return }
        trace.note(.updateReplacesFields, true, "the update withdraws the permission to share the response")
        edits.append(.remove(stored.key, stored.variant))
    }

    mutating func mayStay(_ updated: StoredResponse) -> Bool {
        let control = engine.control(of: updated.facts)
        guard isHeuristicallyShareable(updated.response, control), engine.mayBeStored(updated) else {
            return false
        }
        return engine.kind == .private || control.privateScope != .everything
    }
}
