import CacheSemantics
import HTTPTypes

extension Probe {
    /// Conditional requests (RFC 9110 §13).
    static let conditions: [Probe] = [
        tagProbe("if-none-match", "etag-not-validated", "with the current tag") { $0 },
        tagProbe("if-none-match-weak", "weak-comparison", "with the current tag as the other strength") {
            // Weak comparison ignores the strength of both (RFC 9110 §8.8.3.2).
            $0.starts(with: weakMark) ? Array($0.dropFirst(2)) : weakMark + $0
        },
        tagProbe("if-none-match-list", "etag-list", "with the current tag as the second of two") {
            Array("\"cachecheck-other\", ".utf8) + $0
        },
        tagProbe("if-none-match-star", "etag-star", "with *") { _ in Array("*".utf8) },
        Probe(
            name: "if-none-match-other",
            rules: ["304-for-other-etag", "condition-refused"],
            skip: { $0.first.entityTag == nil ? "the response has no ETag" : nil },
            request: { $0.request([.ifNoneMatch: $0.otherTag]) },
            judge: { context, answer in
                guard answer.status == 304 else { return full(context, answer) }
                return .violates(
                    "304-for-other-etag",
                    "If-None-Match: \(context.otherTag) got a 304",
                    effect: "caches keep outdated content forever"
                )
            }
        ),
        dateProbe("if-modified-since", skip: { _ in nil }, changed: 0) { context, answer in
            if answer.status == 304 {
                var verdict = notModified(context, answer)
                verdict.observations += keptContent(context)
                return verdict
            }
            guard context.hasSteadyDate else { return .unknown("Last-Modified changes with each request") }
            guard answer.status == 200 else { return full(context, answer) }
            guard context.isSteady != false else { return .unknown("the content changes with each request") }
            return .violates(
                "date-not-validated",
                "If-Modified-Since with its Last-Modified got a 200, not a 304"
            )
        },
        dateProbe("if-modified-since-earlier", skip: { _ in nil }, changed: -86_400) { context, answer in
            guard answer.status == 304 else { return full(context, answer) }
            return .violates(
                "304-for-older-date",
                "If-Modified-Since a day before Last-Modified got a 304",
                effect: "caches keep outdated content forever"
            )
        },
        Probe(
            name: "precedence",
            rules: ["date-before-etag", "condition-refused"],
            skip: { context in
                if context.first.entityTag == nil || context.first.lastModified == nil {
                    return "the response does not have both ETag and Last-Modified"
                }
                let isKnown = !context.violated.isDisjoint(with: ["304-for-other-etag", "304-for-older-date"])
                return isKnown ? "a conditional request gets a 304 whatever its validator" : nil
            },
            request: {
                $0.request([
                    .ifNoneMatch: $0.otherTag, .ifModifiedSince: $0.first.fields[.lastModified] ?? "",
                ])
            },
            judge: { context, answer in
                guard answer.status == 304 else { return full(context, answer) }
                let sentence =
                    "another entity tag in If-None-Match with the current date in If-Modified-Since got a 304"
                return .violates("date-before-etag", sentence)
            }
        ),
    ]

    /// Those with the current validator, the first that applies decides whether a validation saves a transfer.
    static let validations = ["if-none-match", "if-modified-since"].compactMap { name in
        conditions.first { $0.name == name }
    }

    private static let weakMark = Array("W/".utf8)

    /// The rules about a 304 to the current validator.
    private static let ofNotModified = ["304-lacks-fields", "304-other-etag", "304-differs", "304-cookie"]

    /// Returns a probe with a changed entity tag; `tag` returns the tag to send for that of the response, both as bytes:
    /// servers compare bytes, which need not be UTF-8.
    private static func tagProbe(
        _ name: String,
        _ rule: String,
        _ what: String,
        _ tag: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Probe {
        Probe(
            name: name,
            rules: [rule, "condition-refused"]
                + (name == "if-none-match" ? ofNotModified : []),
            skip: { context in
                if context.first.entityTag == nil { return "the response has no ETag" }
                if context.first.fields[.eTag]?.contains("\"") == false { return "the ETag has no quotes" }
                if name != "if-none-match", context.answers["if-none-match"]?.status != 304 {
                    return "a conditional request with the current entity tag gets no 304"
                }
                return nil
            },
            request: { $0.request(.ifNoneMatch, tag($0.firstTagBytes)) },
            judge: { context, answer in
                if answer.status == 304 {
                    return name == "if-none-match" ? notModified(context, answer) : .satisfied
                }
                guard context.hasSteadyTag else { return .unknown("ETag changes with each request") }
                guard answer.status == 200 else { return full(context, answer) }
                return .violates(
                    rule,
                    "If-None-Match \(what) got a 200, not a 304",
                    effect: name == "if-none-match" ? "every validation transfers the whole content" : nil
                )
            }
        )
    }

    private static func dateProbe(
        _ name: String,
        skip: @escaping @Sendable (ProbeContext) -> String?,
        changed seconds: Int64,
        judge: @escaping @Sendable (ProbeContext, AuditedExchange) -> ProbeVerdict
    ) -> Probe {
        Probe(
            name: name,
            rules: ["condition-refused"]
                + (seconds == 0
                    ? ["date-not-validated", "same-date-other-content"] + ofNotModified
                    : ["304-for-older-date"]),
            skip: { context in
                context.first.lastModified == nil ? "the response has no Last-Modified" : skip(context)
            },
            request: { context in
                let date = context.first.lastModified?.advanced(by: seconds).text ?? ""
                return context.request([.ifModifiedSince: date])
            },
            judge: judge
        )
    }

    /// Returns the verdict on an answer that is no 304: a 200 is right, an error is not.
    private static func full(_ context: ProbeContext, _ answer: AuditedExchange) -> ProbeVerdict {
        if answer.status == 200 { return .satisfied }
        // The first of them is enough.
        if context.violated.contains("condition-refused") { return .satisfied }
        return context.refusal(
            answer,
            "condition-refused",
            "a request with \(condition(of: answer)) got a \(answer.status), without it a 200",
            effect: "caches and returning visitors get that instead of the content"
        )
    }

    /// Returns the verdict on a 304, compared with the 200 (RFC 9110 §15.4.5); violations of an earlier 304 are not repeated.
    private static func notModified(_ context: ProbeContext, _ answer: AuditedExchange) -> ProbeVerdict {
        let name = "the 304 to \(condition(of: answer))"
        var found = differences(context, context.first, answer, name).map { Observation("304-differs", $0) }
        if let names = missing(required, in: answer, of: context.first) {
            found.append(Observation("304-lacks-fields", "\(name) lacks \(names), which the 200 has"))
        }
        found += [
            otherTag(context, answer), otherLength(context, answer, name), addedCookie(context, answer, name),
        ].compactMap(\.self)
        return ProbeVerdict(observations: found.filter { !context.violated.contains($0.rule) })
    }

    /// Returns the finding for content that changes although its date, by which it is validated, does not.
    private static func keptContent(_ context: ProbeContext) -> [Observation] {
        guard context.isSteady == false, context.hasSteadyDate, context.again?.status == 200,
            context.first.entityTag == nil, let date = context.first.lastModified
        else { return [] }
        let sentence =
            "two identical requests got different content with the same Last-Modified, \(date.text)"
        return [Observation("same-date-other-content", sentence, effect: "a validation keeps the old one")]
    }

    private static func otherTag(_ context: ProbeContext, _ answer: AuditedExchange) -> Observation? {
        guard let sent = context.first.entityTag, let came = answer.entityTag, sent != came else {
            return nil
        }
        let sentence = "the 304 to \(condition(of: answer)) has the tag \(came.text), the 200 \(sent.text)"
        // §4.3.4 lets a weak tag update a stored response whose tag it matches weakly.
        if came.isWeak, came.matchesWeakly(sent) { return Observation("304-other-etag", sentence) }
        return Observation(
            "304-other-etag",
            sentence,
            effect: "a cache must not update a stored response with it"
        )
    }

    /// Returns the name of the field that counts as a request's condition.
    private static func condition(of answer: AuditedExchange) -> String {
        answer.request.headerFields.contains(.ifNoneMatch) ? "If-None-Match" : "If-Modified-Since"
    }
}
