internal import HTTPTypes

/// The part of a stored response that answers a request.
enum Suitable {
    case part(Reuse.Part)
    /// It lacks these bytes.
    case lacks(StoredParts.Gap)
    /// It lacks bytes that one request for a range cannot ask for.
    case insufficient
}

extension CacheEngine {
    /// Returns the part of a stored response that answers a request, after its preconditions (RFC 9110 §13.2.2).
    func suitable(
        _ stored: StoredResponse,
        for request: HTTPRequest,
        _ metadata: RequestMetadata,
        now: HTTPDate,
        _ trace: inout Trace
    ) -> Suitable {
        let conditions = CallerConditions(request)
        if metadata.hasPrecondition, stored.parts == nil, conditions.notModified(stored, now: now, &trace) {
            return .part(.notModified)
        }
        guard metadata.hasRange, let ranges = ranges(of: request, stored, conditions, now: now, &trace) else {
            return whole(stored, for: request)
        }
        let part = part(ranges, of: stored, &trace)
        // §3.3: an incomplete response answers preconditions, too, only for ranges within it.
        guard case .part = part, stored.parts != nil, metadata.hasPrecondition,
            conditions.notModified(stored, now: now, &trace)
        else { return part }
        return .part(.notModified)
    }

    /// Returns the requested ranges; `nil` for the whole representation.
    private func ranges(
        of request: HTTPRequest,
        _ stored: StoredResponse,
        _ conditions: CallerConditions,
        now: HTTPDate,
        _ trace: inout Trace
    ) -> RangeRequest? {
        guard request.method.hasRanges, stored.statusCode == 200 else {
            trace.note(.rangeOfGet, true, .named("Range ignored; method", request.method.rawValue))
            return nil
        }
        guard let ranges = RangeRequest(request.headerFields) else {
            trace.note(
                .rangeIgnored,
                true,
                "the Range is malformed, has an unknown unit, or has too many ranges"
            )
            return nil
        }
        guard conditions.wantsRanges(of: stored, now: now, &trace) else { return nil }
        return ranges
    }

    /// Returns all of a complete response, or only its head; for an incomplete one, the missing bytes, which HEAD cannot
    /// ask for.
    private func whole(_ stored: StoredResponse, for request: HTTPRequest) -> Suitable {
        guard let parts = stored.parts else { return .part(.whole) }
        if request.method == .head { return .insufficient }
        return parts.gap(from: 0, through: nil).map { .lacks($0) } ?? .insufficient
    }

    private func part(_ request: RangeRequest, of stored: StoredResponse, _ trace: inout Trace) -> Suitable {
        guard let length = stored.completeLength else {
            return partOfUnknown(request, of: stored, &trace)
        }
        let ranges = request.ranges(ofLength: length)
        guard let first = ranges.first else {
            if length == 0, request.hasSuffix { return .part(.whole) }
            // §3.3: a range outside of an incomplete response is the origin's to answer.
            if stored.parts != nil { return .insufficient }
            trace.note(.rangeUnsatisfiable, true, "no range lies within the \(length) bytes")
            return .part(.unsatisfiable(length: length))
        }
        guard ranges.allSatisfy({ stored.parts?.contains($0) ?? true }) else {
            guard ranges.count == 1, let gap = stored.parts?.gap(from: first.first, through: first.last)
            else { return .insufficient }
            return .lacks(gap)
        }
        let asked = ranges.map { "\($0.first)-\($0.last)" }.joined(separator: ", ")
        trace.note(.partialServed, true, .named("from \(length) bytes:", asked))
        return .part(
            ranges.count == 1 ? .range(first, length: length) : .ranges(ranges, length: length)
        )
    }

    /// Returns the requested part of a representation of unknown length: only a single range with both ends can be
    /// answered.
    private func partOfUnknown(
        _ request: RangeRequest,
        of stored: StoredResponse,
        _ trace: inout Trace
    ) -> Suitable {
        guard let parts = stored.parts, request.specifiers.count == 1,
            case .from(let first, let last)? = request.specifiers.first
        else { return .insufficient }
        if let last, let range = ByteRange(first: first, last: last), parts.contains(range) {
            trace.note(
                .partialServed,
                true,
                .named("from content of unknown length:", ContentRange.text(range, of: nil))
            )
            return .part(.range(range, length: nil))
        }
        return parts.gap(from: first, through: last).map { .lacks($0) } ?? .insufficient
    }
}

extension StoredResponse {
    /// The length of the whole representation in bytes, including the content coding; `nil` if it is unknown.
    var completeLength: Int64? { parts.map(\.completeLength) ?? contentLength }
}
