import CacheSemantics
import HTTPTypes

extension Probe {
    /// Range requests (RFC 9110 §14), of the representation without content codings.
    static let ranges: [Probe] = [
        Probe(
            name: "range",
            rules: ["wrong-range", "range-refused", "range-ignored", "206-lacks-fields", "206-differs"],
            skip: { context in
                guard let plain = context.plain else {
                    return "no representation without content coding is known"
                }
                // Its length and its end are not known.
                if plain.isCutOff { return "the content is longer than what is read of it" }
                return plain.content.count < 4 ? "the content is too short" : nil
            },
            request: { ranged($0) },
            judge: judgeRange
        ),
        rangeCondition("if-range-other", "if-range-ignored", tag: { Array($0.otherTag.utf8) }) {
            context,
            answer in
            guard answer.status == 206 else { return .satisfied }
            let sentence = "If-Range: \(context.otherTag), which is not an entity tag of the URL, got a 206"
            return .violates("if-range-ignored", sentence + ", so clients join parts of two versions")
        },
        rangeCondition("if-range", "if-range-refused", tag: strongTag) { _, answer in
            guard answer.status == 200 else { return .satisfied }
            return .violates(
                "if-range-refused",
                "If-Range with the current tag got a 200: downloads are not resumed"
            )
        },
        rangeCondition("if-range-weak", "weak-if-range", tag: weakTag) { _, answer in
            guard answer.status == 206 else { return .satisfied }
            return .violates(
                "weak-if-range",
                "If-Range with a weak tag got a 206, although its bytes may differ"
            )
        },
        Probe(
            name: "range-behind-end",
            rules: ["unsatisfiable-range", "416-lacks-length"],
            skip: hasRanges,
            request: { context in
                let end = context.plain?.content.count ?? 0
                return identity(context, [.range: "bytes=\(end + 10)-\(end + 20)"])
            },
            judge: { context, answer in
                let length = context.plain?.content.count ?? 0
                if answer.status == 206 {
                    return .violates(
                        "unsatisfiable-range",
                        "a range beyond the end of the \(length) bytes got a 206"
                    )
                }
                guard answer.status == 416, context.isSteady == true else { return .satisfied }
                let found = answer.fields[.contentRange]
                guard found != "bytes */\(length)" else { return .satisfied }
                let text = found.map { "Content-Range: \($0)" } ?? "no Content-Range"
                return .violates("416-lacks-length", "the 416 has \(text), expected bytes */\(length)")
            }
        ),
    ]

    /// Returns a few bytes from the middle, so that neither end can be mistaken for another.
    private static func bounds(_ context: ProbeContext) -> ByteRange? {
        let count = Int64(context.plain?.content.count ?? 0)
        return ByteRange(first: count / 3, last: min(count - 1, count / 3 + 63))
    }

    private static func identity(_ context: ProbeContext, _ fields: [HTTPField.Name: String]) -> HTTPRequest {
        context.request(fields.merging([.acceptEncoding: "identity"]) { $1 })
    }

    private static func ranged(_ context: ProbeContext, ifRange tag: [UInt8]? = nil) -> HTTPRequest {
        var request = identity(
            context,
            [.range: bounds(context).map { "bytes=\($0.first)-\($0.last)" } ?? ""]
        )
        if let tag { request.headerFields[fields: .ifRange] = [HTTPField(name: .ifRange, value: tag)] }
        return request
    }

    private static func judgeRange(_ context: ProbeContext, _ answer: AuditedExchange) -> ProbeVerdict {
        let announced = ListField.members(of: context.first.fields[values: .acceptRanges]).contains("bytes")
        switch answer.status {
        case 206: return judgePart(context, answer)
        case 200 where announced:
            return .violates(
                "range-ignored",
                "Accept-Ranges: bytes is advertised, but a range request got a 200"
            )
        case 200: return .satisfied
        case 416:
            let length = context.plain?.content.count ?? 0
            return .violates("wrong-range", "a range within the \(length) bytes got a 416")
        default: return refused(context, answer, "a range")
        }
    }

    /// Returns the verdict on an answer that is neither the part nor the whole.
    private static func refused(_ context: ProbeContext, _ answer: AuditedExchange, _ what: String)
        -> ProbeVerdict
    {
        context.refusal(
            answer,
            "range-refused",
            "\(what) within the content got a \(answer.status), neither the part nor the whole",
            effect: "downloads are not resumed, and players cannot seek"
        )
    }

    private static func judgePart(_ context: ProbeContext, _ answer: AuditedExchange) -> ProbeVerdict {
        guard let plain = context.plain, context.isSteady == true, let asked = bounds(context) else {
            return .unknown("the content differs from request to request, or is not completely known")
        }
        let text = Self.text(answer, .contentRange)
        // RFC 9110 §15.3.7: a server may send a part of what was requested.
        guard let part = ContentRange(answer.fields), asked.contains(part.range),
            part.completeLength.map({ $0 == plain.content.count }) ?? true
        else {
            let expected = "bytes \(asked.first)-\(asked.last)/\(plain.content.count)"
            return .violates("wrong-range", "the 206 has \(text), expected \(expected)")
        }
        guard answer.content.elementsEqual(plain.content[Int(part.range.first)...Int(part.range.last)]) else {
            return .violates("wrong-range", "the bytes of the 206 are not those of the 200 (\(text))")
        }
        return ProbeVerdict(observations: differing(context, answer, plain))
    }

    /// Compares the fields of a 206 with those of the 200.
    private static func differing(
        _ context: ProbeContext,
        _ part: AuditedExchange,
        _ whole: AuditedExchange
    ) -> [Observation] {
        var found = differences(context, whole, part, "the 206")
        if context.hasSteadyTag, let tag = whole.entityTag, let other = part.entityTag, tag != other {
            found.append("the 206 has the tag \(other.text), the 200 \(tag.text)")
        }
        // RFC 9110 §15.3.7: without If-Range, a 206 also has the other fields of the representation.
        let names = required + [.contentType, .contentLanguage, .lastModified]
        let lacking = missing(names, in: part, of: whole).map {
            Observation("206-lacks-fields", "the 206 lacks \($0), which the 200 has")
        }
        return found.map { Observation("206-differs", $0) } + [lacking].compactMap(\.self)
    }

    private static let hasRanges: @Sendable (ProbeContext) -> String? = { context in
        context.answers["range"]?.status == 206 ? nil : "ranges are not served"
    }

    /// Returns a probe with If-Range; `tag` returns the bytes of the tag to send.
    private static func rangeCondition(
        _ name: String,
        _ rule: String,
        tag: @escaping @Sendable (ProbeContext) -> [UInt8]?,
        judge: @escaping @Sendable (ProbeContext, AuditedExchange) -> ProbeVerdict
    ) -> Probe {
        Probe(
            name: name,
            rules: [rule, "range-refused"],
            skip: { context in
                hasRanges(context)
                    ?? (tag(context) == nil ? "there is no ETag to compare, or none is compared" : nil)
            },
            request: { ranged($0, ifRange: tag($0)) },
            judge: { context, answer in
                guard ![200, 206].contains(answer.status) else { return judge(context, answer) }
                return refused(context, answer, "If-Range with a range")
            }
        )
    }

    private static let strongTag: @Sendable (ProbeContext) -> [UInt8]? = { context in
        guard let tag = context.plain?.entityTag, !tag.isWeak, context.hasSteadyTag else { return nil }
        return tag.bytes
    }

    /// Strong comparison fails if either tag is weak (RFC 9110 §8.8.3.2).
    private static let weakTag: @Sendable (ProbeContext) -> [UInt8]? = { context in
        // Where no tag is compared, that is the finding.
        guard !context.violated.contains("if-range-ignored"), let tag = context.plain?.entityTag else {
            return nil
        }
        return EntityTag(isWeak: true, opaque: tag.opaque).bytes
    }
}
