import HTTPServing
import OriginScript

/// The part of the content that a request asks for, RFC 9110 §14.2.
struct RangeEvaluation {
    enum Outcome: Hashable {
        /// The whole content.
        case whole
        /// These parts of it.
        case parts([Range<Int>])
        /// 416, RFC 9110 §15.5.17.
        case unsatisfiable
    }
    let answer: Answer
    let representation: Representation
    let now: HTTPTimestamp

    /// Evaluates `Range` and `If-Range` if the answer without them would be a 200 to a GET.
    func evaluate(method: String, fields: [ServedField]) -> Outcome {
        guard answer.ranges == .offered || answer.ranges == .single, answer.status == 200, method == "GET",
            !answer.violations.contains(.ignoresRange),
            let ranges = fields.combined(FieldName.range).flatMap({ ByteRanges($0) }), !ranges.areSuspicious,
            answer.ranges == .offered || ranges.specs.count == 1,
            ifRange(fields.combined(FieldName.ifRange))
        else { return .whole }
        let satisfied = ranges.satisfied(count: representation.content.count)
        if !satisfied.isEmpty { return .parts(satisfied) }
        // RFC 9110 §14.1.2: a suffix of content without bytes is satisfiable, but no Content-Range can express it.
        if representation.content.count == 0, ranges.asksForSuffix { return .whole }
        return answer.violations.contains(.partialForUnsatisfiable) ? .parts([0..<0]) : .unsatisfiable
    }

    /// Whether If-Range holds: a validator that is not strong never matches; a date must be equal (RFC 9110 §13.1.5).
    private func ifRange(_ value: String?) -> Bool {
        guard let value, !answer.violations.contains(.ignoresIfRange) else { return true }
        if let tag = EntityTagValue(value) {
            guard let mine = representation.entityTag.flatMap({ EntityTagValue($0) }) else { return false }
            return answer.violations.contains(.weakAsStrong)
                ? tag.matchesWeakly(mine) : tag.matchesStrongly(mine)
        }
        guard let date = HTTPTimestamp(reading: value, now: now),
            let mine = representation.lastModified.flatMap({ HTTPTimestamp(reading: $0, now: now) })
        else { return false }
        // RFC 9110 §8.8.2.2: in the second of a change there may have been two versions of the content.
        return date == mine && mine < now
    }
}
