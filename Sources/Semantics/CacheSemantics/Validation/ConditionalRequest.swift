internal import HTTPTypes

extension CacheEngine {
    /// The maximum number of entity tags in a request, to limit the size of its head.
    private static let maximumTags = 32
    /// The maximum size of the tags besides that of the selected response, in bytes: many servers reject heads above 8 KiB.
    private static let maximumTagBytes = 4 << 10

    /// Returns the conditional request that validates `selected` and the other tagged variants (§4.3.1).
    ///
    /// Returns `nil` if there is no validator, or if the caller's preconditions cannot be combined with added ones; the
    /// request is then forwarded unchanged. Without `selected` it validates all variants (§4.1). `stored` are those that
    /// `usable` returns.
    func validation(
        of selected: StoredResponse?,
        among stored: [StoredResponse],
        for request: HTTPRequest,
        _ trace: inout Trace
    ) -> Validation? {
        let candidates = self.candidates(
            selected,
            among: stored.filter { mayBeStored($0) },
            request.storedMethod
        )
        guard !candidates.isEmpty else {
            trace.note(.conditionNone, false, "no stored validator")
            return nil
        }
        var asking = request
        let caller = CallerConditions(request)
        let tags = caller.hasNoneMatch ? union(caller, candidates) : tags(of: candidates)
        guard !caller.hasNoneMatch || !tags.isEmpty else {
            trace.note(.callerConditionForwarded, true, "the caller's preconditions are forwarded unchanged")
            return nil
        }
        if caller.hasNoneMatch { trace.note(.callerTagsJoined, true, "joined with the caller's entity tags") }
        set(tags, in: &asking, &trace)
        // The origin evaluates the union of the tags; for a range, only the tag of the selected response (§4.3.1).
        asking.headerFields[.ifModifiedSince] = nil
        if !caller.hasNoneMatch, !request.headerFields.contains(.range),
            let text = selected?.facts.lastModifiedText
        {
            trace.note(.conditionLastModified, true, .named("If-Modified-Since", text))
            asking.headerFields[.ifModifiedSince] = text
        }
        return Validation(request: asking, candidates: candidates)
    }

    /// Returns the stored responses that a 304 can make usable: not those that lack requested bytes (§4.3.2).
    ///
    /// In the background the caller already has the bytes of `served`; otherwise it is `nil`.
    func usable(
        _ stored: [StoredResponse],
        for request: HTTPRequest,
        now: HTTPDate,
        served: StoredResponse?,
        _ trace: inout Trace
    ) -> [StoredResponse] {
        let usable = stored.filter {
            $0.parts == nil || $0.variant == served?.variant || hasWanted($0, for: request, now: now)
        }
        if usable.count < stored.count {
            trace.note(
                .partialTagApart,
                true,
                "\(stored.count - usable.count) stored without all requested bytes"
            )
        }
        return usable
    }

    /// Whether an incomplete response answers the request, ignoring preconditions.
    private func hasWanted(_ stored: StoredResponse, for request: HTTPRequest, now: HTTPDate) -> Bool {
        var ignored = Trace()
        var plain = request
        plain.headerFields[.ifNoneMatch] = nil
        plain.headerFields[.ifModifiedSince] = nil
        let metadata = RequestMetadata(plain.headerFields)
        guard case .part(let part) = suitable(stored, for: plain, metadata, now: now, &ignored) else {
            return false
        }
        // §4.3.2: an unsatisfiable range is within no part, so that the tag does not go with those of the caller.
        if case .unsatisfiable = part { return !CallerConditions(request).hasNoneMatch }
        return true
    }

    /// Returns the selected response, then the other variants with strong entity tags, the most recent first.
    ///
    /// §4.3.4: a weak tag identifies a response only among those that the request could select. Some origins use the same
    /// weak tag for all codings or languages of a resource, so the weak tags of other variants are not sent.
    private func candidates(
        _ selected: StoredResponse?,
        among stored: [StoredResponse],
        _ method: HTTPRequest.Method
    ) -> [StoredResponse] {
        let selected = stored.contains { $0.variant == selected?.variant } ? selected : nil
        if let selected, selected.entityTag == nil { return selected.hasValidator ? [selected] : [] }
        let tagged = stored.filter { $0.entityTag?.isWeak == false && $0.method == method }
        let others = tagged.filter { $0.variant != selected?.variant }.sorted {
            Self.isMoreRecent($0, than: $1)
        }
        return Self.limited((selected.map { [$0] } ?? []) + others, besides: selected)
    }

    /// Returns the first candidates within the limits; those whose tags are too long for the rest of the space are left out.
    ///
    /// The tag of the selected response is always sent, regardless of its length (§4.3.1).
    private static func limited(_ candidates: [StoredResponse], besides selected: StoredResponse?)
        -> [StoredResponse]
    {
        var space = maximumTagBytes
        let fitting = candidates.filter { candidate in
            let size = candidate.variant == selected?.variant ? 0 : candidate.entityTag?.opaque.count ?? 0
            guard size <= space else { return false }
            space -= size
            return true
        }
        return Array(fitting.prefix(maximumTags))
    }

    /// Returns the tags of candidates without duplicates.
    private func tags(of candidates: [StoredResponse]) -> [EntityTag] {
        candidates.compactMap(\.entityTag).reduce(into: []) { tags, tag in
            if !tags.contains(tag) { tags.append(tag) }
        }
    }

    /// Returns the caller's tags and the added ones (§4.3.2); empty if they cannot be combined.
    private func union(_ caller: CallerConditions, _ candidates: [StoredResponse]) -> [EntityTag] {
        let mine = tags(of: candidates)
        guard let theirs = caller.entityTags, !theirs.isEmpty, !mine.isEmpty else { return [] }
        return mine + theirs.filter { !mine.contains($0) }
    }

    private func set(_ tags: [EntityTag], in request: inout HTTPRequest, _ trace: inout Trace) {
        guard !tags.isEmpty else { return }
        trace.note(
            .conditionEntityTag,
            true,
            .named("If-None-Match", tags.map(\.text).joined(separator: ", "))
        )
        if tags.count > 1 { trace.note(.conditionSeveralTags, true, "\(tags.count) entity tags") }
        request.headerFields[fields: .ifNoneMatch] = [EntityTag.field(.ifNoneMatch, listing: tags)]
    }
}
