internal import HTTPTypes

extension Planning {
    /// Asks the origin about the selected response, in the way that fits what is wanted of it.
    mutating func confirm(_ selected: StoredResponse, _ reason: ForwardReason) -> Decision {
        guard reading.hasRange || selected.parts != nil else { return validate(selected, reason) }
        // Preconditions are evaluated on what the origin has confirmed.
        var whole = request
        whole.headerFields[.ifNoneMatch] = nil
        whole.headerFields[.ifModifiedSince] = nil
        let asked = RequestReading(whole.headerFields)
        switch engine.suitable(selected, for: whole, asked, now: now, &trace) {
        case .lacks(let gap): return complete(selected, gap, .partial)
        case .insufficient: return forwardForParts()
        case .part(.range), .part(.ranges), .part(.unsatisfiable):
            return selected.entityTag == nil ? askForRange(selected, reason) : validate(selected, reason)
        case .part(.whole), .part(.notModified): return validate(selected, reason)
        }
    }

    /// §4.3.1: for a range of what has a modification date alone, the date goes into If-Range.
    private mutating func askForRange(_ selected: StoredResponse, _ reason: ForwardReason) -> Decision {
        var asking = request
        if !reading.hasRangeCondition, let condition = selected.rangeCondition {
            trace.note(.conditionPartial, true, .named("If-Range", condition.value))
            asking.headerFields[fields: .ifRange] = [condition]
        } else {
            trace.note(.conditionNone, false, "no stored validator that a range can be asked for with")
        }
        return forward(asking, reason)
    }

    /// Asks for what a stored response lacks, if that can be told to fit to what is there (§3.3, §3.4).
    mutating func complete(
        _ selected: StoredResponse,
        _ gap: StoredParts.Gap,
        _ reason: ForwardReason
    ) -> Decision {
        guard let condition = selected.rangeCondition else {
            trace.note(.partsCombined, false, "no strong validator, so nothing can be added")
            return forwardForParts()
        }
        trace.note(.forwardPartial, true, .named("lacks bytes", gap.text))
        if let decision = kept(from: reason) { return decision }
        // To the end is asked for without naming it.
        let isToTheEnd = gap.last.map { $0 + 1 } == selected.completeLength
        let wanted = StoredParts.Gap(first: gap.first, last: isToTheEnd ? nil : gap.last)
        var asking = request.unconditional
        asking.headerFields[.range] = "\(ContentRange.unit)=\(wanted.text)"
        asking.headerFields[fields: .ifRange] = [condition]
        trace.note(.incompleteCompleted, true, .named("asks for", wanted.text))
        trace.note(.conditionPartial, true, .named("If-Range", condition.value))
        return Decision(
            plan: .complete(PartialReuse(stored: selected, request: asking, gap: gap)),
            reason: reason
        )
    }

    /// The stored response is of no use for what is asked.
    mutating func forwardForParts() -> Decision {
        trace.note(.forwardPartial, true, "the stored parts do not answer the request")
        trace.note(.incompleteNotComplete, true, "not used for what it lacks")
        return forward(.partial)
    }
}

extension StoredParts.Gap {
    /// As it stands in `Range`.
    var text: String { "\(first)-\(last.map { String($0) } ?? "")" }
}
