internal import HTTPTypes

extension Planning {
    /// Validates the selected response, with or without a range.
    mutating func confirm(_ selected: StoredResponse, _ reason: ForwardReason) -> Decision {
        guard metadata.hasRange || selected.parts != nil else { return validate(selected, reason) }
        // Preconditions are evaluated on what the origin has confirmed.
        var whole = request
        whole.headerFields[.ifNoneMatch] = nil
        whole.headerFields[.ifModifiedSince] = nil
        let asked = RequestMetadata(whole.headerFields)
        switch engine.suitable(selected, for: whole, asked, now: now, &trace) {
        case .lacks(let gap): return complete(selected, gap, .partial)
        case .insufficient: return forwardForParts()
        case .part(.range), .part(.ranges), .part(.unsatisfiable):
            return selected.entityTag == nil ? askForRange(selected, reason) : validate(selected, reason)
        case .part(.whole), .part(.notModified): return validate(selected, reason)
        }
    }

    /// Forwards a request for a range; if the stored response has only a modification date, the date goes into If-Range
    /// (§4.3.1).
    private mutating func askForRange(_ selected: StoredResponse, _ reason: ForwardReason) -> Decision {
        var asking = request
        if !metadata.hasRangeCondition, let condition = selected.rangeCondition {
            trace.note(.conditionPartial, true, .named("If-Range", condition.value))
            asking.headerFields[fields: .ifRange] = [condition]
        } else {
            trace.note(.conditionNone, false, "no stored validator for a range request")
        }
        return forward(asking, reason)
    }

    /// Requests the missing bytes of a stored response, if a strong validator allows combining them (§3.3, §3.4).
    mutating func complete(
        _ selected: StoredResponse,
        _ gap: StoredParts.Gap,
        _ reason: ForwardReason
    ) -> Decision {
        guard let condition = selected.rangeCondition else {
            trace.note(.partsCombined, false, "no strong validator, so ranges cannot be combined")
            return forwardForParts()
        }
        trace.note(.forwardPartial, true, .named("lacks bytes", gap.text))
        if mayNotNeedPart(selected) {
            trace.note(.callerConditionForwarded, true, "the missing bytes may not be needed")
            return forward(.partial)
        }
        if let decision = kept(from: reason) { return decision }
        // A range to the end is requested as an open one.
        let isToTheEnd = gap.last.map { $0 + 1 } == selected.completeLength
        let wanted = StoredParts.Gap(first: gap.first, last: isToTheEnd ? nil : gap.last)
        var asking = request.unconditional
        asking.headerFields[.range] = "\(ContentRange.unit)=\(wanted.text)"
        asking.headerFields[fields: .ifRange] = [condition]
        trace.note(.incompleteCompleted, true, .named("requests bytes", wanted.text))
        trace.note(.conditionPartial, true, .named("If-Range", condition.value))
        return Decision(
            plan: .complete(PartialReuse(stored: selected, request: asking)),
            reason: reason
        )
    }

    /// Whether the caller's preconditions may produce a response that is not of the stored part's representation: the
    /// origin may confirm the caller's copy, or have the version of the caller's range (RFC 9110 §13.2.2).
    private mutating func mayNotNeedPart(_ selected: StoredResponse) -> Bool {
        let conditions = CallerConditions(request)
        if metadata.hasPrecondition, conditions.notModified(selected, now: now, &trace) { return true }
        return conditions.hasNoneMatch || !conditions.wantsRanges(of: selected, now: now, &trace)
    }

    /// Forwards the request, because the stored parts do not answer it.
    mutating func forwardForParts() -> Decision {
        trace.note(.forwardPartial, true, "the stored parts do not cover the request")
        trace.note(.incompleteNotComplete, true, "not used, because requested bytes are missing")
        return forward(.partial)
    }
}

extension StoredParts.Gap {
    /// The value for `Range`.
    var text: String { "\(first)-\(last.map { String($0) } ?? "")" }
}
