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
        // RFC 9110 §15.3.7: the response to a caller's If-Range need not have the fields of the representation.
        guard !metadata.hasRangeCondition else {
            trace.note(.partialNotStored, false, "status 206 to If-Range, which may lack fields")
            return
        }
        let rules = StoredFields(engine, response)
        noteFields(response, rules)
        trace.note(.partsSeparated, true, "stored once its parts are known")
        let stored = engine.stored(response, read, rules, for: planned, sent: sent)
        edits.append(.putSeparated(stored, ranges))
    }

    /// Stores a 206, combined with a stored response if possible (§3.3, §3.4).
    mutating func storePart(_ response: HTTPResponse, _ read: ResponseMetadata) {
        guard response.headerFields.contains(.contentRange) else { return storeParts(response, read) }
        guard let content = ContentRange(response.headerFields),
            let part = engine.part(response, read, content, for: planned, sent: sent, beside: selected())
        else { return }
        let old = planned.stored.first { $0.variant == part.variant && $0.method == part.method }
        switch engine.joining(part, to: old) {
        case .keep:
            trace.note(.partsCombined, false, "no strong validator shared with the stored response")
        case .freshen(let updated):
            trace.note(.updateReplacesFields, true, "the stored response already has these bytes")
            edits.append(.freshen(updated))
        case .combine:
            trace.note(.partsCombined, true, .named("shares", part.rangeCondition?.value ?? ""))
            edits.append(.put(part))
        case .replace:
            // RFC 9110 §15.3.7: what answers a caller's If-Range need not have the fields of the representation.
            guard !metadata.hasRangeCondition else {
                trace.note(.partialNotStored, false, "status 206 to If-Range, which may lack fields")
                return
            }
            noteFields(response, StoredFields(engine, response))
            trace.note(
                .partialStored,
                true,
                .named("bytes", ContentRange.text(content.range, of: content.completeLength))
            )
            edits.append(.put(part))
        }
    }
}
