internal import HTTPTypes

/// A way to combine a partial response with the response stored for its key and variant.
public enum Joining: Sendable {
    /// It replaces what is stored.
    case replace(StoredResponse)
    /// Both are combined into one (RFC 9111 §3.4).
    case combine(StoredResponse)
    /// The stored response already has all of its bytes, and is updated with its fields.
    case freshen(StoredResponse)
    /// It is not stored, and the stored response is unchanged.
    case keep

    /// The combination of both; `nil` if they are not combined.
    var combination: StoredResponse? {
        switch self {
        case .combine(let result), .freshen(let result): result
        case .replace, .keep: nil
        }
    }
}

extension CacheEngine {
    /// Returns the incomplete response to store after the content was interrupted at `received` bytes; `nil` if none is stored
    /// (RFC 9111 §3.3).
    public func incomplete(_ stored: StoredResponse, received: Int) -> StoredResponse? {
        guard keepsPartialContent, stored.method.hasRanges, stored.statusCode == 200, received > 0 else {
            return nil
        }
        let first = stored.parts?.ranges.first?.first ?? 0
        guard let range = ByteRange(first: first, last: first + Int64(received) - 1) else { return nil }
        let length = stored.parts.map(\.completeLength) ?? stored.response.headerFields.announcedLength
        guard stored.parts?.contains(range) ?? true,
            var parts = StoredParts([range], completeLength: length), !parts.isComplete
        else { return nil }
        parts.isOnlyForCombining = stored.parts?.isOnlyForCombining == true
        parts.hadAuthorization = stored.parts?.hadAuthorization == true
        return stored.withoutContentDigest.copy(isInvalidated: stored.isInvalidated, parts: parts)
    }

    /// Returns the way to combine a partial response with `old`, the response stored for its key and variant.
    ///
    /// `isPrefix` is whether it is the beginning of a full response, whose fields replace the stored ones (RFC 9110
    /// §15.3.7.3). `.keep` may also mean that the part may not be stored on its own, or that nothing in the result
    /// permits a shared cache to give to others a cookie that it would set, or what a request with Authorization has
    /// brought.
    public func joining(_ new: StoredResponse, to old: StoredResponse?, isPrefix: Bool = false) -> Joining {
        let joining = place(new, besides: old, isPrefix: isPrefix)
        switch joining {
        case .replace(let alone):
            guard let parts = alone.parts else { return joining }
            let isRefused =
                parts.isOnlyForCombining || lacksPermissionToShareCookie(alone)
                || lacksPermissionToShare(new, in: alone)
            return isRefused ? .keep : .replace(alone.completeIfWhole)
        case .combine(let result), .freshen(let result):
            // The part may have brought the cookie, or removed the permission to share it (§7.3).
            let isRefused =
                lacksPermissionToShareCookie(result) && old.map(lacksPermissionToShareCookie) == false
            return isRefused || lacksPermissionToShare(new, in: result) ? .keep : joining
        case .keep: return joining
        }
    }

    /// Whether a part that a request with Authorization has brought may not become part of `result` (§3.5).
    ///
    /// It was permitted by the directives of what was stored when it was requested, which may have been replaced since.
    func lacksPermissionToShare(_ part: StoredResponse, in result: StoredResponse) -> Bool {
        guard kind == .shared || servesSeveralUsers, part.parts?.hadAuthorization == true else {
            return false
        }
        return !permitsSharing(control(of: result.facts))
    }

    /// Returns the way to combine a partial response with `old`, whether or not the result may be stored.
    func place(_ new: StoredResponse, besides old: StoredResponse?, isPrefix: Bool) -> Joining {
        guard let parts = new.parts, let old else { return .replace(new) }
        guard isSame(new, as: old) else { return unrelated(new, to: old, isPrefix: isPrefix) }
        let length = new.completeLength ?? old.completeLength
        guard let held = old.parts else {
            return isPrefix ? .keep : .freshen(update(old, with: new, parts: nil, length))
        }
        guard let union = held.union(parts) else { return unrelated(new, to: old, isPrefix: isPrefix) }
        let combined = update(isPrefix ? new : old, with: new, parts: union.isComplete ? nil : union, length)
        return .combine(combined.holding(contentLength: Int(union.count)))
    }

    /// Whether both have the same strong validator and do not contradict each other on the length (§3.4).
    private func isSame(_ new: StoredResponse, as old: StoredResponse) -> Bool {
        guard let validator = new.strongValidator, validator == old.strongValidator else { return false }
        return new.fits(old.completeLength) && old.fits(new.completeLength)
    }

    /// Keeps the newer of two that cannot be combined, but never replaces a complete response that may still be valid by
    /// a part.
    private func unrelated(_ new: StoredResponse, to old: StoredResponse, isPrefix: Bool) -> Joining {
        if old.parts == nil { return !isPrefix && new.isKnownToDiffer(from: old) ? .replace(new) : .keep }
        return old.date > new.date ? .keep : .replace(new)
    }

    /// Returns the fields of `old`, updated from those of a newer response (§3.2), for other parts of the representation.
    private func update(
        _ old: StoredResponse,
        with new: StoredResponse,
        parts: StoredParts?,
        _ completeLength: Int64?
    ) -> StoredResponse {
        var fields = updatedFields(of: old, with: new.response, received: new.responseTime)
        if let completeLength { fields[.contentLength] = String(completeLength) }
        return old.copy(
            selectingFields: old.selectingFields(addingThoseOf: new),
            response: HTTPResponse(status: old.response.status, headerFields: fields),
            times: (new.requestTime, new.responseTime),
            isInvalidated: false,
            parts: .some(parts)
        )
    }
}

extension HTTPFields {
    /// The length in `Content-Length`, which may be a list of equal numbers (RFC 9112 §6.3).
    ///
    /// `nil` if the field is absent or not a number.
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
    /// Whether a representation of this complete length may have its bytes; true if the length is unknown.
    fileprivate func fits(_ length: Int64?) -> Bool {
        guard let length else { return true }
        return completeLength.map { $0 == length } ?? parts?.ranges.last.map { $0.last < length } ?? true
    }

    /// The same, as a complete response if its parts are all of the representation (RFC 9110 §15.3.7.3).
    package var completeIfWhole: StoredResponse {
        guard let parts, parts.isComplete else { return self }
        return copy(isInvalidated: isInvalidated, parts: .some(nil)).holding(contentLength: Int(parts.count))
    }

    /// The same without `Content-Digest`, which is of all content.
    fileprivate var withoutContentDigest: StoredResponse {
        var head = response
        head.headerFields[.contentDigest] = nil
        return copy(response: head, isInvalidated: isInvalidated)
    }

    /// Returns the selecting fields, and those of `newer` that only its Vary nominates: a combination has the fields of
    /// both (§4.1).
    fileprivate func selectingFields(addingThoseOf newer: StoredResponse) -> HTTPFields {
        var selecting = selectingFields
        for name in newer.vary.names where !vary.names.contains(name) {
            selecting[fields: name] = newer.selectingFields[fields: name]
        }
        return selecting
    }

    /// Returns the same stored response under the key of another variant.
    func variant(of other: StoredResponse) -> StoredResponse {
        StoredResponse(
            key: other.key,
            variant: other.variant,
            method: method,
            selectingFields: other.selectingFields(addingThoseOf: self),
            response: response,
            requestTime: requestTime,
            responseTime: responseTime,
            isInvalidated: isInvalidated,
            parts: parts
        )
    }
}
