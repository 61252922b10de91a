internal import HTTPTypes

extension Settling {
    /// Stores the response to POST that is a representation of the target, for GET and HEAD (RFC 9110 §9.3.3).
    ///
    /// It is stored like the response to a GET, as its Content-Location declares.
    mutating func storePosted(_ response: HTTPResponse) {
        guard isForGet(response), !isUncacheable() else { return }
        let read = ResponseMetadata(response.headerFields, received: received)
        let (control, target) = engine.control(of: read, response.headerFields)
        let isFresh = engine.isExplicitlyFresh(response, control)
        guard trace.note(.postExplicit, isFresh, "explicit freshness") else { return }
        if let target { trace.note(.targetedFirst, true, .named("storing is governed by", target.rawName)) }
        guard isStorable(response, response.status, control) else { return }
        let rules = StoredFields.of(read, control, kind: engine.kind)
        trace.note(.postReused, true, .named("stored for GET of", planned.key.targetURI))
        edits.append(.put(stored(response, read, rules)))
    }

    /// Whether the response is one to GET: successful, and with the target URI in Content-Location (RFC 9110 §8.7).
    ///
    /// The grammar of the field has no fragment.
    private mutating func isForGet(_ response: HTTPResponse) -> Bool {
        let method = Finding.Numbers.named("method", request.method.rawValue)
        guard response.status.code == 200 || response.status.code == 203,
            let reference = response.headerFields[.contentLocation]
        else { return trace.note(.storeMethodUnderstood, false, method) }
        let target = TargetURI(request)
        return trace.note(
            .postLocation,
            !reference.contains("#") && target.resolving(reference)?.isEquivalent(to: target) == true,
            .named("Content-Location", reference)
        )
    }
}
