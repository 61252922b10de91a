internal import HTTPTypes

extension CacheEngine {
    /// The most entity tags that one request carries, so that its head stays in bounds.
    private static let mostTags = 32

    /// Returns the conditional request about `selected` and the other tagged variants (§4.3.1).
    ///
    /// `nil` where there is no validator to ask with. Without `selected` it asks about every variant (§4.1).
    func validation(
        of selected: StoredResponse?,
        among stored: [StoredResponse],
        for request: HTTPRequest,
        _ trace: inout Trace
    ) -> Validation? {
        let candidates = self.candidates(selected, among: stored, request.storedMethod)
        guard !candidates.isEmpty else {
            trace.note(.conditionNone, false, "no stored validator")
            return nil
        }
        var asking = request
        setTags(of: candidates, in: &asking, &trace)
        if let text = selected?.facts.lastModifiedText {
            trace.note(.conditionLastModified, true, .named("If-Modified-Since", text))
            asking.headerFields[.ifModifiedSince] = text
        }
        return Validation(request: asking, candidates: candidates)
    }

    /// The selected response first, and others only if entity tags tell all of them apart.
    private func candidates(
        _ selected: StoredResponse?,
        among stored: [StoredResponse],
        _ method: HTTPRequest.Method
    ) -> [StoredResponse] {
        if let selected, selected.entityTag == nil { return selected.hasValidator ? [selected] : [] }
        let tagged = stored.filter { $0.entityTag != nil && $0.method == method }
        let others = tagged.filter { $0.variant != selected?.variant }.sorted {
            Self.isMoreRecent($0, than: $1)
        }
        return Array(((selected.map { [$0] } ?? []) + others).prefix(Self.mostTags))
    }

    private func setTags(of candidates: [StoredResponse], in request: inout HTTPRequest, _ trace: inout Trace)
    {
        var tags: [String] = []
        for tag in candidates.compactMap({ $0.entityTag?.text }) where !tags.contains(tag) {
            tags.append(tag)
        }
        guard !tags.isEmpty else { return }
        let list = tags.joined(separator: ", ")
        trace.note(.conditionEntityTag, true, .named("If-None-Match", list))
        if tags.count > 1 { trace.note(.conditionSeveralTags, true, "\(tags.count) entity tags") }
        request.headerFields[.ifNoneMatch] = list
    }
}
