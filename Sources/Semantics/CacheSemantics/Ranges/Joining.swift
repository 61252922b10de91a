internal import HTTPTypes

/// What becomes of a partial response and of what is stored in its place.
public enum Joining: Sendable {
    /// It is stored as it is.
    case replace(StoredResponse)
    /// Both are stored as one, which has the bytes of both (RFC 9111 §3.4).
    case combine(StoredResponse)
    /// What is stored has all of it already, and gets its fields.
    case freshen(StoredResponse)
    /// What is stored stays as it is, and this is not stored.
    case keep
}

extension CacheEngine {
    /// Returns what is left of a response whose content broke off after `received` bytes; `nil` where nothing is worth
    /// keeping (RFC 9111 §3.3).
    public func incomplete(_ stored: StoredResponse, received: Int) -> StoredResponse? {
        guard keepsPartialContent, stored.method == .get, stored.statusCode == 200, received > 0 else {
            return nil
        }
        let first = stored.parts?.ranges.first?.first ?? 0
        guard let range = ByteRange(first: first, last: first + Int64(received) - 1) else { return nil }
        let length = stored.parts.map(\.completeLength) ?? stored.response.headerFields.announcedLength
        guard stored.parts?.contains(range) ?? true, let parts = StoredParts([range], completeLength: length),
            !parts.isComplete
        else { return nil }
        return stored.copy(isInvalidated: stored.isInvalidated, parts: parts)
    }

    /// Returns what becomes of a partial response where `old` is stored in its place.
    ///
    /// `isPrefix` for what is left of a full response: its fields then replace those that are stored (RFC 9110
    /// §15.3.7.3).
    public func joining(_ new: StoredResponse, to old: StoredResponse?, isPrefix: Bool = false) -> Joining {
        guard let parts = new.parts else { return .replace(new) }
        guard let old else { return .replace(new) }
        guard isSame(new, as: old) else { return unrelated(new, to: old, isPrefix: isPrefix) }
        guard let held = old.parts else {
            return isPrefix ? .keep : .freshen(update(old, with: new, parts: nil))
        }
        // The fields are those of both, although the bytes are not next to each other.
        guard let union = held.union(parts) else { return .replace(update(old, with: new, parts: parts)) }
        let combined = update(isPrefix ? new : old, with: new, parts: union.isComplete ? nil : union)
        return .combine(combined.holding(contentLength: Int(union.count)))
    }

    /// §3.4: one strong validator, and no doubt about the length.
    private func isSame(_ new: StoredResponse, as old: StoredResponse) -> Bool {
        guard let validator = new.strongValidator, validator == old.strongValidator else { return false }
        guard let mine = new.completeLength, let theirs = old.completeLength else { return true }
        return mine == theirs
    }

    /// The newer of two that cannot be combined, but no part in place of a whole that may still be right.
    private func unrelated(_ new: StoredResponse, to old: StoredResponse, isPrefix: Bool) -> Joining {
        if old.parts == nil { return !isPrefix && new.isKnownToDiffer(from: old) ? .replace(new) : .keep }
        return old.date > new.date ? .keep : .replace(new)
    }

    /// The fields of `old`, updated from those of a newer response (§3.2), for other parts of the representation.
    private func update(_ old: StoredResponse, with new: StoredResponse, parts: StoredParts?)
        -> StoredResponse
    {
        var fields = updatedFields(of: old, with: new.response, received: new.responseTime)
        if let length = parts?.completeLength ?? new.completeLength ?? old.completeLength {
            fields[.contentLength] = String(length)
        }
        return old.copy(
            response: HTTPResponse(status: old.response.status, headerFields: fields),
            requestTime: new.requestTime,
            responseTime: new.responseTime,
            isInvalidated: false,
            parts: .some(parts)
        )
    }

    /// The stored response made of a 206: the head of the complete one, as far as the 206 has its fields (§3.3).
    ///
    /// What `known`, the stored response that the request selects, keeps from being stored is not stored from it either.
    func part(
        _ response: HTTPResponse,
        _ read: ResponseReading,
        _ content: ContentRange,
        for planned: Planned,
        sent: HTTPDate,
        beside known: StoredResponse?
    ) -> StoredResponse? {
        guard let parts = StoredParts([content.range], completeLength: content.completeLength) else {
            return nil
        }
        let rules =
            known.map { StoredFields(self, response, updating: $0) } ?? StoredFields(self, response)
        let stored = stored(response, read, rules, for: planned, sent: sent)
        var head = HTTPResponse(status: .ok, headerFields: stored.response.headerFields)
        head.headerFields[.contentRange] = nil
        head.headerFields[.contentLength] = content.completeLength.map { String($0) }
        return stored.copy(response: head, isInvalidated: false, parts: parts)
    }
}

extension HTTPFields {
    /// The length in `Content-Length`, of which a list of equal numbers is one (RFC 9112 §6.3).
    ///
    /// `nil` without the field, or where it is not a number.
    var announcedLength: Int64? {
        let lengths = FieldList.members(of: self[values: .contentLength]) {
            RangeRequest.position(ArraySlice(Array($0))) ?? -1
        }
        guard let length = lengths.first, length >= 0, lengths.allSatisfy({ $0 == length }) else {
            return nil
        }
        return length
    }
}

extension StoredResponse {

    /// The same stored response in the place of another variant.
    func variant(of other: StoredResponse) -> StoredResponse {
        var copy = StoredResponse(
            key: other.key,
            variant: other.variant,
            method: method,
            selectingFields: other.selectingFields,
            response: response,
            requestTime: requestTime,
            responseTime: responseTime,
            isInvalidated: isInvalidated,
            parts: parts
        )
        copy.contentLength = contentLength
        return copy
    }
}
