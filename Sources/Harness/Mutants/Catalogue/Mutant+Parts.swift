import CacheClient
import CacheSemantics
import Conformance
import HTTPTypes

extension Mutant {
    /// Incomplete responses and ranges (RFC 9111 §3.3, §3.4, RFC 9110 §14).
    static let ofParts: [Mutant] = [
        Mutant(
            "truncated-taken-for-whole",
            "An incomplete response is treated as complete",
            [.incompleteNotComplete],
            receiving { TruncationBlindReceiver($0) }
        ),
        Mutant(
            "part-stored-as-whole",
            "A 206 is stored as the whole representation",
            [.incompleteNotComplete, .partialNotStored],
            EngineDefect.view(at: [.settling]) { head in
                guard !head.isStored, head.status == 206 else { return head.response }
                var fields = head.fields
                fields[.contentRange] = nil
                return HTTPResponse(status: .ok, headerFields: fields)
            }
        ),
        Mutant(
            "unasked-part-stored",
            "A 206 is stored although no range was requested",
            [.partialNotStored],
            EngineDefect.settling { settlement, exchanged in
                guard case .rejected = settlement.answer, exchanged.status == 206,
                    var response = exchanged.response
                else { return settlement }
                response.status = .ok
                let stored = settlement.answeringFromHere(exchanged, response)
                return stored.with(answer: .origin(response))
            }
        ),
        Mutant(
            "parts-combined-by-weak-tag",
            "Parts that share only a weak entity tag are combined",
            [.partsCombined],
            joining { new, old in (new.strengthened, old?.strengthened) }
        ),
        Mutant(
            "parts-combined-whatever-tag",
            "Parts are combined whatever their validators",
            [.partsCombined],
            joining { new, old in
                guard let old else { return (new, nil) }
                let tag = old.response.headerFields[.eTag] ?? "\"any\""
                return (new.changing { $0[.eTag] = tag }, old.changing { $0[.eTag] = tag })
            }
        ),
        Mutant(
            "resume-without-if-range",
            "Missing bytes are requested without If-Range",
            [.incompleteCompleted, .partsCombined, .conditionPartial],
            sending { request in
                if request.headerFields.contains(.range) { request.headerFields[.ifRange] = nil }
            }
        ),
        Mutant(
            "parts-not-stored",
            "The received part of an incomplete response is discarded",
            [.partialStored, .incompleteCompleted],
            forgettingParts
        ),
        Mutant(
            "range-always-forwarded",
            "No range is answered from the store",
            [.partialServed],
            EngineDefect.serving { _, question in
                question.request.headerFields.contains(.range) ? .forward(question.request) : nil
            }
        ),
        Mutant(
            "range-ends-early",
            "The last byte of a range is omitted",
            [.partialServed],
            EngineDefect.serving { reuse, _ in
                guard case .range(let range, let length) = reuse.part,
                    let shorter = ByteRange(first: range.first, last: range.last - 1)
                else { return nil }
                return .serve(reuse.with(part: .range(shorter, length: length)))
            }
        ),
        Mutant(
            "if-range-ignored",
            "If-Range in a request is ignored",
            [.callerIfRange],
            EngineDefect.ignoring(.ifRange, at: [.planning])
        ),
        Mutant(
            "range-of-head",
            "Range is obeyed with HEAD",
            [.rangeOfGet],
            EngineDefect.serving { reuse, question in
                guard question.request.method == .head, question.request.headerFields.contains(.range) else {
                    return nil
                }
                var get = question
                get.request.method = .get
                guard case .serve(let part) = get.answer.plan else { return nil }
                return .serve(part)
            }
        ),
        Mutant(
            "unsatisfiable-served-whole",
            "A range beyond the end is answered with the whole content",
            [.rangeUnsatisfiable],
            EngineDefect.serving { reuse, _ in
                guard case .unsatisfiable = reuse.part else { return nil }
                return .serve(reuse.with(part: .whole))
            }
        ),
        Mutant(
            "tag-of-part-sent",
            "The entity tag of an incomplete response is always sent in If-None-Match",
            [.partialTagApart],
            EngineDefect.plan { planned, question in
                guard case .forward(var request) = planned.plan, request.headerFields[.ifNoneMatch] == nil,
                    let part = question.stored.first(where: { $0.parts != nil }), let tag = part.entityTag
                else { return nil }
                request.headerFields[.ifNoneMatch] = tag.text
                return .validate(Validation(request: request, candidates: [part]))
            }
        ),
    ]

    private static func joining(
        _ seen: @escaping @Sendable (StoredResponse, StoredResponse?) -> (StoredResponse, StoredResponse?)
    ) -> EngineDefect {
        var defect = EngineDefect()
        defect.joined = seen
        // The request for the rest must accept the same responses as the joining of parts.
        defect.stored = { stored, _ in stored.parts == nil ? stored : seen(stored, stored).0 }
        return defect
    }

    private static var forgettingParts: EngineDefect {
        var defect = EngineDefect()
        defect.incomplete = { _ in nil }
        return defect
    }

    /// Returns a decoration whose transport changes the responses that it delivers.
    static func receiving(
        _ receiver: @escaping @Sendable (any TransportReceiver) -> any TransportReceiver
    ) -> Decoration {
        var decoration = Decoration()
        decoration.transport = { TransportDecorator(base: $0, receiver: receiver) }
        return decoration
    }

    /// Returns a decoration whose transport changes the requests that it sends.
    static func sending(_ change: @escaping @Sendable (inout HTTPRequest) -> Void) -> Decoration {
        var decoration = Decoration()
        decoration.transport = { TransportDecorator(base: $0, request: change) }
        return decoration
    }
}

extension StoredResponse {
    /// This stored response with a strong entity tag in place of a weak one.
    fileprivate var strengthened: StoredResponse {
        guard let tag = entityTag, tag.isWeak else { return self }
        return changing { $0[.eTag] = String(decoding: tag.opaque, as: UTF8.self) }
    }
}

/// Treats a lost connection as the end of the content.
private final class TruncationBlindReceiver: ReceiverDecorator {
    let base: any TransportReceiver

    init(_ base: any TransportReceiver) { self.base = base }

    func receive(end: Result<TransportEnd, TransportError>) {
        guard case .failure(let error) = end,
            [.connectionLost, .badResponse, .cannotParse].contains(error.kind)
        else {
            return base.receive(end: end)
        }
        var complete = TransportEnd()
        complete.isLengthChecked = true
        base.receive(end: .success(complete))
    }
}
