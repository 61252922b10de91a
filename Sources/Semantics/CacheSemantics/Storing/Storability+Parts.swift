internal import HTTPTypes

extension Settling {
    /// Whether a 206 has a valid Content-Range and answers a range request.
    mutating func isStorablePart(_ response: HTTPResponse) -> Bool {
        guard engine.keepsPartialContent, metadata.hasRange else {
            return trace.note(.partialNotStored, false, "status 206, not requested or not kept")
        }
        if !response.headerFields.contains(.contentRange), SeparatedRanges(response.headerFields) != nil {
            return trace.note(.storeFinalStatus, true, "status 206, multipart/byteranges")
        }
        guard let content = ContentRange(response.headerFields), isConsistent(content, response) else {
            return trace.note(.partialNotStored, false, "status 206 without one valid Content-Range")
        }
        return trace.note(.storeFinalStatus, true, "status 206")
    }

    /// Whether Content-Length matches the length of the range.
    private func isConsistent(_ content: ContentRange, _ response: HTTPResponse) -> Bool {
        let lines = response.headerFields[values: .contentLength]
        return lines.isEmpty || (lines.count == 1 && lines.first == String(content.range.count))
    }

    /// Stores the ranges of a `multipart/byteranges` as if each had been received alone (RFC 9110 §15.3.7.2).
    private mutating func storeParts(_ response: HTTPResponse, _ read: ResponseMetadata) {
        guard let ranges = SeparatedRanges(response.headerFields) else { return }
        // RFC 9110 §15.3.7: the response to If-Range need not have the fields of the representation.
        guard !planned.asksWithIfRange else {
            trace.note(.partialNotStored, false, "status 206 to If-Range, which may lack fields")
            return
        }
        let rules = StoredFields(engine, response)
        noteFields(response, rules)
        trace.note(.partsSeparated, true, "stored once its parts are known")
        edits.append(.putSeparated(stored(response, read, rules), ranges))
    }

    /// Stores a 206, combined with a stored response if possible (§3.3, §3.4).
    mutating func storePart(_ response: HTTPResponse, _ read: ResponseMetadata) {
        guard response.headerFields.contains(.contentRange) else { return storeParts(response, read) }
        guard let content = ContentRange(response.headerFields),
            let part = part(response, read, content)
        else { return }
        let old = planned.stored.first { $0.variant == part.variant }
        switch engine.joining(part, to: old) {
        case .keep: noteRefused(part, engine.place(part, besides: old, isPrefix: false))
        case .freshen(let updated):
            trace.note(.updateReplacesFields, true, "the stored response already has these bytes")
            edits.append(.freshen(updated))
        case .combine:
            trace.note(.partsCombined, true, .named("shares", part.rangeCondition?.value ?? ""))
            edits.append(.put(part))
        case .replace:
            noteFields(response, StoredFields(engine, response))
            trace.note(
                .partialStored,
                true,
                .named("bytes", ContentRange.text(content.range, of: content.completeLength))
            )
            edits.append(.put(part))
        }
    }

    /// Records why a part is not stored.
    private mutating func noteRefused(_ part: StoredResponse, _ place: Joining) {
        if engine.lacksPermissionToShareCookie(part) {
            noteCookie()
        } else if let result = place.combination, engine.lacksPermissionToShare(part, in: result) {
            _ = isAllowedByAuthorization(engine.control(of: result.facts))
        } else if planned.asksWithIfRange {
            trace.note(.partialNotStored, false, "status 206 to If-Range, which may lack fields")
        } else {
            trace.note(.partsCombined, false, "no strong validator shared with the stored response")
        }
    }

    /// Creates a stored response from a 206, with the head of the complete response as far as the 206 has its fields (§3.3).
    ///
    /// Combining it may exclude further fields (§3.1).
    func part(_ response: HTTPResponse, _ read: ResponseMetadata, _ content: ContentRange) -> StoredResponse?
    {
        guard var parts = StoredParts([content.range], completeLength: content.completeLength) else {
            return nil
        }
        parts.isOnlyForCombining = planned.asksWithIfRange
        parts.hadAuthorization = metadata.hasAuthorization
        let stored = stored(response, read, StoredFields(engine, response))
        var head = HTTPResponse(status: .ok, headerFields: stored.response.headerFields)
        head.headerFields[.contentRange] = nil
        // RFC 9530 §2: it is the digest of this part alone, and what is stored may become a larger one.
        head.headerFields[.contentDigest] = nil
        head.headerFields[.contentLength] = content.completeLength.map { String($0) }
        return stored.copy(response: head, isInvalidated: false, parts: parts)
    }
}
