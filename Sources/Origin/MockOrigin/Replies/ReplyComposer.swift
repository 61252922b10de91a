import Clocks
import HTTPServing
import OriginScript

/// Composes the reply to a request from an answer, without I/O.
struct ReplyComposer {
    let answer: Answer
    let context: AnswerContext
    let stall: Hold
    /// Resolved faults, in addition to those of `delay`, `hold` and `rate`.
    let faults: [Fault]
    private let representation: Representation

    /// Reads the content; throws if a fixture is missing.
    init(
        _ answer: Answer,
        _ context: AnswerContext,
        contents: ContentStore,
        stall: Hold,
        faults: [Fault]
    ) throws(ContentStore.Missing) {
        self.answer = answer
        self.context = context
        self.stall = stall
        self.faults = faults
        representation = try Representation(answer, context, contents)
    }

    /// Returns the reply.
    func reply() -> ComposedReply {
        switch precondition {
        case .holds: selected()
        case .notModified: notModified()
        case .failed: failed()
        }
    }

    /// RFC 9110 §13.2.1: preconditions are evaluated only if the answer without them would be a success.
    private var precondition: Preconditions.Outcome {
        let isSuccess = (200..<300).contains(answer.status) || violates(.preconditionsOnErrors)
        guard answer.evaluatesPreconditions, isSuccess else { return .holds }
        let preconditions = Preconditions(
            entityTag: representation.entityTag.flatMap { EntityTagValue($0) },
            lastModified: representation.lastModified.flatMap {
                HTTPTimestamp(reading: $0, now: context.now)
            },
            now: context.now,
            violations: answer.violations
        )
        return preconditions.evaluate(method: context.request.method, fields: context.request.fields)
    }

    private func violates(_ violation: Violation) -> Bool { answer.violations.contains(violation) }

    // MARK: With content

    /// Returns the whole representation or the requested range, which is evaluated last (RFC 9110 §13.2.2).
    private func selected() -> ComposedReply {
        let request = RangeEvaluation(answer: answer, representation: representation, now: context.now)
        switch request.evaluate(method: context.request.method, fields: context.request.fields) {
        case .whole: return full()
        case .parts(let ranges): return with(PartialContent(ranges, representation, answer, context.request))
        case .unsatisfiable: return unsatisfiable()
        }
    }

    private func full() -> ComposedReply {
        let fields = ownFields
        return with(status: answer.status, fields, [representation.content])
    }

    /// The script's fields and the representation's; a validator in the script keeps its position there.
    private var ownFields: [ServedField] {
        let listed = context.fields(answer.fields)
        let validators = Set(representation.validators)
        return listed + representation.fields.filter { !validators.contains($0) || !listed.contains($0) }
    }

    private func with(_ partial: PartialContent) -> ComposedReply {
        let own = ownFields
        let status = violates(.okForPartial) ? 200 : 206
        return with(status: status, partial.fields(from: own), partial.pieces)
    }

    private func with(status: Int, _ others: [ServedField], _ pieces: [Content]) -> ComposedReply {
        let count = pieces.reduce(0) { $0 + $1.count }
        let framing = ReplyFraming(answer, status: status, count: count, context.request)
        var fields = fields(others, ending: framing.ending) + framing.fields
        let isHead = context.request.method == "HEAD"
        if isHead, violates(.headWithoutFields) {
            let kept = [FieldName.entityTag, FieldName.lastModified, FieldName.contentLength]
            fields.removeAll { field in kept.contains { $0.isSameFieldName(as: field.name) } }
        }
        let head = ComposedReply.Head(status: status, reason: reason(status), fields: fields)
        var reply = ComposedReply(head: head, steps: opening, coding: framing.coding, ending: framing.ending)
        // Unexpected content must not be parsed as the next response.
        if isHead, framing.sendsContent { reply.ending = .close }
        finish(&reply, framing.sendsContent ? pieces : nil)
        return reply
    }

    // MARK: Without content

    /// Returns a 304 without representation metadata except the fields that guide the cache (RFC 9110 §15.4.5); it has
    /// Last-Modified only without an entity tag.
    private func notModified() -> ComposedReply {
        var kept = violates(.notModifiedWithoutFields) ? [] : fieldsOfNotModified
        if violates(.notModifiedWithOtherETag) {
            kept.removeAll { $0.name.isSameFieldName(as: FieldName.entityTag) }
            kept.append(ServedField(FieldName.entityTag, "\"another\""))
        }
        guard violates(.notModifiedWithBody) else { return short(status: 304, fields(kept)) }
        let length = ServedField(FieldName.contentLength, "\(representation.content.count)")
        return short(status: 304, fields(kept) + [length], [representation.content])
    }

    private var fieldsOfNotModified: [ServedField] {
        let metadata = [
            FieldName.acceptRanges, FieldName.contentType, FieldName.contentEncoding,
            FieldName.contentLanguage, FieldName.contentLength, FieldName.contentRange,
            FieldName.transferEncoding,
        ]
        var kept = ownFields.filter { field in
            !metadata.contains { field.name.isSameFieldName(as: $0) }
        }
        if representation.entityTag != nil {
            kept.removeAll { $0.name.isSameFieldName(as: FieldName.lastModified) }
        }
        return kept
    }

    private func failed() -> ComposedReply {
        short(status: 412, fields(representation.validators) + [ServedField(FieldName.contentLength, "0")])
    }

    /// Returns a 416 with the current length (RFC 9110 §15.5.17).
    private func unsatisfiable() -> ComposedReply {
        let length = "bytes */\(representation.content.count)"
        let range = violates(.unsatisfiableWithoutLength) ? [] : [ServedField(FieldName.contentRange, length)]
        let others = representation.validators + range + [ServedField(FieldName.contentLength, "0")]
        return short(status: 416, fields(others))
    }

    private func short(status: Int, _ fields: [ServedField], _ wrongContent: [Content]? = nil)
        -> ComposedReply
    {
        let head = ComposedReply.Head(status: status, reason: ReasonPhrase.standard(status), fields: fields)
        var reply = ComposedReply(head: head, steps: opening)
        if wrongContent != nil { reply.ending = .close }
        finish(&reply, wrongContent)
        return reply
    }

    // MARK: Head

    private func reason(_ status: Int) -> String {
        let own = status == answer.status ? answer.reason : nil
        return own ?? ReasonPhrase.standard(status)
    }

    private func fields(_ others: [ServedField], ending: RawReply.Ending = .keepAlive) -> [ServedField] {
        date + others + persistence(ending)
    }

    /// Returns the `Connection` field: HTTP/1.0 has no persistent connections unless both sides announce it (RFC 9112
    /// §9.3).
    private func persistence(_ ending: RawReply.Ending) -> [ServedField] {
        if context.request.wantsClose { return [ServedField(FieldName.connection, "close")] }
        let isAnnounced = ending == .keepAlive && !context.request.isHTTP11
        return isAnnounced ? [ServedField(FieldName.connection, "keep-alive")] : []
    }

    private var date: [ServedField] {
        // A Date among the script's fields replaces the generated one.
        if answer.fields.contains(where: { $0.name.isSameFieldName(as: FieldName.date) }) { return [] }
        let text: String? =
            switch answer.date {
            case .now: context.now.text()
            case .none: nil
            case .offset(let offset): context.now.adding(offset.wholeSeconds).text()
            case .text(let text): context.text(.text(text))
            }
        return text.map { [ServedField(FieldName.date, $0)] } ?? []
    }

    // MARK: Steps

    /// Interim responses are sent at once.
    private var opening: [ComposedReply.Step] {
        guard context.request.isHTTP11 else { return [] }
        return answer.interim.map { interim in
            let reason = ReasonPhrase.standard(interim.status)
            let fields = context.fields(interim.fields)
            return .interim(ComposedReply.Head(status: interim.status, reason: reason, fields: fields))
        }
    }

    /// Adds the head and the content, if any, then applies faults.
    private func finish(_ reply: inout ComposedReply, _ pieces: [Content]?) {
        reply.steps.append(.head)
        if let pieces {
            for piece in pieces { reply.steps += pace.steps(piece) }
            reply.steps.append(.endOfContent)
        }
        reply = reply.with(answer.notedFaults + faults, stall: stall)
    }

    private var pace: ContentPace {
        ContentPace(chunks: answer.chunks, chunkDelay: answer.chunkDelay)
    }
}

extension ServedRequest {
    /// Whether no further request will be sent on the connection.
    var wantsClose: Bool {
        if endsConnection { return true }
        let options = (fields.combined(FieldName.connection) ?? "").split(separator: ",").map(\.trimmed)
        if options.contains(where: { $0.isSameFieldName(as: "close") }) { return true }
        return !isHTTP11 && !options.contains { $0.isSameFieldName(as: "keep-alive") }
    }
}
