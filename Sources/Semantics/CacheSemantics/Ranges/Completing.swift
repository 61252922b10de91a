internal import HTTPTypes

extension Settling {
    /// Settles the response to a request for missing bytes; `nil` if it is settled like any other (§3.4).
    mutating func complete(_ partial: PartialReuse, with response: HTTPResponse) -> Settlement? {
        switch response.status.code {
        case 206: break
        // None of the requested bytes: the caller's own request has to be forwarded.
        case 416: return settlement(.retry(request))
        default:
            trace.note(.validationFull, true, .named("status", String(response.status.code)))
            return nil
        }
        guard let part = arriving(response, for: partial),
            case .combine(let combined) = engine.place(part, besides: partial.stored, isPrefix: false),
            let completion = completion(of: combined, partial, response, part)
        else {
            trace.note(.partsCombined, false, "the 206 does not match the stored response")
            edits.append(.remove(partial.stored.key, partial.stored.variant))
            return settlement(.retry(request))
        }
        trace.note(.partsCombined, true, .named("shares", partial.stored.rangeCondition?.value ?? ""))
        keep(part, combined)
        return settlement(.completed(completion))
    }

    /// Returns the part in a 206; `nil` if the response does not state which bytes it has.
    ///
    /// They may be other bytes than the requested ones (RFC 9110 §15.3.7); `completion` decides whether they are enough.
    private func arriving(_ response: HTTPResponse, for partial: PartialReuse) -> StoredResponse? {
        guard let content = ContentRange(response.headerFields) else { return nil }
        let stored = partial.stored
        let read = ResponseMetadata(response.headerFields, received: received)
        // It is of the stored representation, so it need not repeat the fields by which that was selected.
        return part(response, read, content)?.variant(of: stored)
    }

    /// Returns the response for the caller; `nil` if bytes would still be missing, or if, by the updated validators, the
    /// response is a range without the arriving bytes instead of the whole (RFC 9110 §13.1.5).
    private mutating func completion(
        of combined: StoredResponse,
        _ partial: PartialReuse,
        _ response: HTTPResponse,
        _ part: StoredResponse
    ) -> Completion? {
        guard let suitable = self.part(of: combined), let wanted = suitable.range(of: combined),
            let new = part.parts?.ranges.first, wanted.first <= new.first, new.last <= wanted.last
        else { return nil }
        let reuse = use(of: combined, suitable)
        var pieces: [Completion.Piece] = []
        if let before = ByteRange(first: wanted.first, last: new.first - 1) { pieces.append(.stored(before)) }
        pieces.append(.arriving(new))
        if let after = ByteRange(first: new.last + 1, last: wanted.last) { pieces.append(.stored(after)) }
        return Completion(
            response: answer(reuse, response),
            stored: partial.stored,
            pieces: pieces,
            age: reuse.age,
            lifetime: reuse.lifetime
        )
    }

    /// Updates the store, unless a no-store forbids it.
    private mutating func keep(_ part: StoredResponse, _ combined: StoredResponse) {
        guard isAllowedByAuthorization(engine.control(of: combined.facts)) else { return }
        if metadata.cacheControl.noStore {
            trace.note(.requestNoStore, false, "the request has no-store, so nothing is added")
        } else if mayStay(combined) {
            edits.append(.put(part))
        } else {
            trace.note(.storeNotForbidden, false, "the update forbids storing")
            edits.append(.remove(combined.key, combined.variant))
        }
    }
}

extension Reuse.Part {
    /// Returns the range of the stored response that it consists of; `nil` if it is not a single range.
    fileprivate func range(of stored: StoredResponse) -> ByteRange? {
        switch self {
        case .whole: stored.completeLength.flatMap { ByteRange(first: 0, last: $0 - 1) }
        case .range(let range, _): range
        case .ranges, .notModified, .unsatisfiable: nil
        }
    }
}
