internal import HTTPTypes

extension Settling {
    /// Stores the response if §3 allows it; otherwise removes the stored response that it supersedes.
    mutating func store(_ response: HTTPResponse) {
        guard request.method == .get || planned.key.isOfContent else {
            trace.note(.storeMethodUnderstood, false, .named("method", request.method.rawValue))
            return
        }
        guard !isUncacheable() else { return }
        if planned.key.isOfContent {
            trace.note(.queryKey, true, "the digest of the content is part of the key")
        }
        let read = ResponseMetadata(response.headerFields, received: received)
        let (control, target) = engine.control(of: read, response.headerFields)
        if let target { trace.note(.targetedFirst, true, .named("storing is governed by", target.rawName)) }
        if read.hasIncremental, response.headerFields.isIncremental {
            trace.note(
                .incrementalForwarded,
                true,
                "forwarded as it arrives; no request waits for its end"
            )
        }
        // Read once, because the response stores it as text.
        let status = response.status
        guard isStorable(response, status, control) else { return removeSuperseded(by: response) }
        if status.code == 206 { return storePart(response, read) }
        let rules = StoredFields.of(read, control, kind: engine.kind)
        let isUnchanged = read.hasDate && !rules.excludesAny(of: response.headerFields)
        let stored =
            isUnchanged
            ? stored(response, read)
            : stored(response, read, rules)
        guard !keepsStored(despite: response) else { return }
        if !isUnchanged { noteFields(response, rules) }
        if planned.stored.contains(where: { $0.variant == stored.variant }) {
            trace.note(.storeReplacesOlder, true, "replaces the stored response of the same variant")
        }
        if read.lacksVary {
            trace.note(.dictionaryVaries, true, "coded with a dictionary, but Vary does not say so")
        }
        removeSelectable(but: stored.variant, "the stored response is outdated")
        edits.append(.put(stored))
    }

    /// Whether the response is for this request alone, because its content or its fields are not part of the key.
    mutating func isUncacheable() -> Bool {
        guard planned.key.isUncacheable else { return false }
        guard planned.key.isOfUnkeyedFields else {
            return trace.note(.contentUnshared, true, "not stored, because the request has content")
        }
        return trace.note(
            .keyHasMethodAndTarget,
            true,
            "not stored, because the request has fields that are not part of the key"
        )
    }

    /// Removes the stored responses that the request would select, because a full response supersedes them (§4.3.3).
    ///
    /// Their Date is not compared: origin servers with different clocks may send an earlier Date on reload.
    private mutating func removeSelectable(but variant: VariantKey?, _ detail: String) {
        for old in planned.stored where old.variant != variant && old.method == request.storedMethod {
            guard engine.matches(old, request.headerFields) else { continue }
            trace.note(.storeReplacesOlder, true, detail)
            edits.append(.remove(old.key, old.variant))
        }
    }

    /// Whether a server error must not replace the stored response that may be served instead (RFC 5861 §4).
    private mutating func keepsStored(despite response: HTTPResponse) -> Bool {
        guard let old = selected(), !old.isInvalidated, response.status.isStaleIfError,
            engine.prohibition(of: old) == nil, isWithinErrorWindow(old)
        else { return false }
        return trace.note(
            .storeKeptOnError,
            true,
            .named("not replaced by status", "\(response.status.code)")
        )
    }

    /// Evaluates the clauses of §3 in order.
    mutating func isStorable(
        _ response: HTTPResponse,
        _ status: HTTPResponse.Status,
        _ control: ResponseCacheControl
    ) -> Bool {
        isWholeAndFinal(response, status) && isAllowedByNoStore(response, control)
            && isAllowedInShared(control) && isCacheable(response, status, control)
    }

    private mutating func isWholeAndFinal(_ response: HTTPResponse, _ answered: HTTPResponse.Status) -> Bool {
        let code = answered.code
        let status = Finding.Numbers.named("status", String(code))
        // RFC 9110 §15: a code above 599 is invalid, so the response is not known to be final.
        guard (200...599).contains(code), code != 304 else {
            return trace.note(.storeFinalStatus, false, status)
        }
        if code == 206 { return isStorablePart(response) }
        // RFC 9110 §14.4: the field has no meaning here, unless a server sent a range with the wrong status code.
        if metadata.hasRange, response.headerFields.contains(.contentRange) {
            return trace.note(.partialNotStored, false, status)
        }
        // 412 and 416 depend on the request's preconditions and ranges, and would be wrong for other requests.
        let isConditional = metadata.hasPrecondition || metadata.hasOriginCondition
        // Each of them answers a field that a cache key does not contain.
        if code == 412 && isConditional || code == 416 && metadata.hasRange
            || code == 417 && request.headerFields.contains(.expect)
        {
            return trace.note(.storeStatusUnderstood, false, status)
        }
        guard !answered.isNeverStored else { return trace.note(.storeStatusUnderstood, false, status) }
        return trace.note(.storeFinalStatus, true, status)
    }

    private mutating func isAllowedByNoStore(_ response: HTTPResponse, _ control: ResponseCacheControl)
        -> Bool
    {
        guard !metadata.cacheControl.noStore else {
            return trace.note(.requestNoStore, false, "the request has no-store")
        }
        guard control.mustUnderstand else {
            guard !control.noStore else {
                trace.note(.storeNotForbidden, false, "the response has no-store")
                return trace.note(.responseNoStore, false, "the response has no-store")
            }
            return trace.note(.storeNotForbidden, true, "no no-store directive")
        }
        let status = Finding.Numbers.named("must-understand, status", String(response.status.code))
        guard response.status.isUnderstood else {
            return trace.note(.responseMustUnderstandUnknown, false, status)
        }
        return trace.note(.responseMustUnderstand, true, status)
    }

    private mutating func isAllowedInShared(_ control: ResponseCacheControl) -> Bool {
        guard engine.kind == .shared else { return isAllowedByAuthorization(control) }
        switch control.privateScope {
        case .everything:
            trace.note(.responsePrivate, false, "private, in a shared cache")
            return trace.note(.storeNotPrivateInShared, false, "private, in a shared cache")
        case .fields:
            trace.note(.responsePrivateFields, true, "stored without the fields that private lists")
        case .nothing:
            break
        }
        return isAllowedByAuthorization(control)
    }

    /// Whether the response may be stored in view of Authorization: a shared cache stores it only if the response allows
    /// that (§3.5).
    mutating func isAllowedByAuthorization(_ control: ResponseCacheControl) -> Bool {
        guard engine.kind == .shared || engine.servesSeveralUsers, metadata.hasAuthorization else {
            return true
        }
        guard engine.permitsSharing(control) else {
            return trace.note(.authorizationInShared, false, "the request has Authorization")
        }
        return trace.note(.authorizationAllowed, true, "a directive allows it")
    }

    private mutating func isCacheable(
        _ response: HTTPResponse,
        _ answered: HTTPResponse.Status,
        _ control: ResponseCacheControl
    ) -> Bool {
        let status = Finding.Numbers.named("status", String(answered.code))
        if control.isPublic { trace.note(.responsePublic, true, status) }
        let isMarked = engine.isMarked(response, control)
        let isUsual = answered.isHeuristicallyCacheable
        if isUsual, !isHeuristicallyShareable(response, control) { return false }
        if isUsual {
            trace.note(.heuristicStatuses, true, status)
        } else if isMarked {
            trace.note(.storeExplicitAnyStatus, true, status)
        }
        return trace.note(.storeExplicitOrHeuristic, isMarked || isUsual, status)
    }

    /// Whether a shared cache may store the response although nothing marks it as cacheable.
    mutating func isHeuristicallyShareable(_ response: HTTPResponse, _ control: ResponseCacheControl) -> Bool
    {
        guard engine.lacksPermissionToShareCookie(response, control), !isPartOfMarked(response) else {
            return true
        }
        return noteCookie()
    }

    /// Records that a shared cache does not store a response because of its Set-Cookie.
    @discardableResult
    mutating func noteCookie() -> Bool {
        trace.note(.heuristicSetCookie, false, "Set-Cookie without explicit freshness")
    }

    /// Whether the response is a part of a stored one that explicitly allows storing.
    private func isPartOfMarked(_ response: HTTPResponse) -> Bool {
        guard response.status.code == 206, let known = selected() else { return false }
        return engine.isMarked(known.response, engine.control(of: known.facts))
    }

    /// Removes the stored response that a full response supersedes even though that may not be stored.
    private mutating func removeSuperseded(by response: HTTPResponse) {
        let code = response.status.code
        // A 304 is settled before anything is stored; a part, regardless of its status code, supersedes nothing.
        let isFull = (200...399).contains(code) || code == 404 || code == 410
        guard isFull, code != 206, !metadata.hasRange || !response.headerFields.contains(.contentRange) else {
            return
        }
        removeSelectable(but: nil, "the stored response is outdated, the new one may not be stored")
    }

    mutating func noteFields(_ response: HTTPResponse, _ rules: StoredFields) {
        for (rule, names) in rules.exclusions {
            let dropped = names.filter { response.headerFields.contains($0) }
            guard !dropped.isEmpty else { continue }
            let list = dropped.map(\.rawName).sorted().joined(separator: ", ")
            trace.note(rule, true, .named("without", list))
        }
        if !response.headerFields.contains(.date) {
            trace.note(.dateMissing, true, .named("Date", received.text))
        }
    }
}

extension CacheEngine {
    /// Whether a directive permits a cache of several users to store the response to an authorized request (§3.5).
    ///
    /// A private one does not meet the requirements of s-maxage, and stores what private keeps from shared caches.
    func permitsSharing(_ control: ResponseCacheControl) -> Bool {
        let isPermitted = control.mustRevalidate || control.isPublic
        return switch kind {
        case .shared: isPermitted || control.sharedMaxAge != nil
        case .private: isPermitted && control.privateScope != .everything
        }
    }

    /// Whether no-store allows a stored response to be in the store (§5.2.2.3, §5.2.2.5): it may forbid one that a caller
    /// has stored explicitly, or that a 304 has updated.
    func mayBeStored(_ stored: StoredResponse) -> Bool {
        guard control(of: stored.facts, { $0.noStore }) else { return true }
        return control(of: stored.facts, { $0.mustUnderstand }) && stored.response.status.isUnderstood
    }
}

extension Settling {
    /// Creates a stored response: the fields without the excluded ones, with a Date (RFC 9110 §6.6.1).
    func stored(_ response: HTTPResponse, _ read: ResponseMetadata, _ rules: StoredFields) -> StoredResponse {
        var response = response
        response.headerFields = rules.kept(of: response.headerFields)
        if !read.hasDate {
            response.headerFields.append(HTTPField(name: .date, value: read.received.text))
        }
        let kept = ResponseMetadata(response.headerFields, received: read.received)
        return stored(response, kept, vary: read.vary)
    }

    /// Creates a stored response from a response that is stored unchanged.
    func stored(_ response: HTTPResponse, _ read: ResponseMetadata, vary: Vary? = nil) -> StoredResponse {
        let vary = vary ?? read.vary
        let requestFields = engine.kept(planned.request.headerFields)
        let facts = StoredResponse.Facts(
            key: planned.key,
            variant: vary.variant(of: requestFields),
            method: planned.request.storedMethod,
            selectingFields: vary.selectingFields(of: requestFields),
            response: response,
            metadata: read,
            requestTime: sent,
            isInvalidated: false,
            parts: nil,
            contentOf: nil
        )
        return StoredResponse(facts)
    }
}
