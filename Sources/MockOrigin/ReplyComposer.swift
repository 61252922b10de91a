import HTTPServing
import OriginScript

/// Turns an answer and a request into a reply; decides everything and does nothing.
struct ReplyComposer {
    let answer: Answer
    let context: AnswerContext
    let stall: Hold
    /// What goes wrong, drawn, besides what `delay`, `stall` and `rate` say.
    let faults: [Fault]
    private let representation: Representation

    /// Reads the content; throws when a fixture is missing.
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
    func reply() -> OriginReply {
        switch precondition {
        case .holds: full()
        case .notModified: notModified()
        case .failed: failed()
        }
    }

    /// §13.2.1: preconditions count only where the answer without them would be a success.
    private var precondition: Preconditions.Outcome {
        guard answer.evaluatesPreconditions, (200..<300).contains(answer.status) else { return .holds }
        let preconditions = Preconditions(
            entityTag: representation.entityTag.flatMap { EntityTag($0) },
            lastModified: representation.lastModified.flatMap { HTTPMoment(reading: $0, now: context.now) },
            now: context.now
        )
        return preconditions.evaluate(method: context.request.method, fields: context.request.fields)
    }

    // MARK: The three answers

    private func full() -> OriginReply {
        let framing = ReplyFraming(answer, representation, context.request)
        var fields = fields(context.fields(answer.fields) + representation.fields)
        fields += framing.fields
        let head = OriginReply.Head(status: answer.status, reason: reason, fields: fields)
        var reply = OriginReply(head: head, steps: opening, coding: framing.coding, ending: framing.ending)
        finish(&reply, framing)
        return reply
    }

    /// §15.4.5: no representation metadata but what guides the cache; Last-Modified only for want of an entity tag.
    private func notModified() -> OriginReply {
        let metadata = [
            FieldName.contentType, FieldName.contentEncoding, FieldName.contentLanguage,
            FieldName.contentLength,
            FieldName.contentRange, FieldName.transferEncoding,
        ]
        var kept = (context.fields(answer.fields) + representation.fields).filter { field in
            !metadata.contains { field.name.isSameFieldName(as: $0) }
        }
        if representation.entityTag != nil {
            kept.removeAll { $0.name.isSameFieldName(as: FieldName.lastModified) }
        }
        return short(status: 304, fields(kept))
    }

    private func failed() -> OriginReply {
        short(status: 412, fields(representation.validators) + [ServedField(FieldName.contentLength, "0")])
    }

    private func short(status: Int, _ fields: [ServedField]) -> OriginReply {
        let head = OriginReply.Head(status: status, reason: ReasonPhrase.standard(status), fields: fields)
        var reply = OriginReply(head: head, steps: opening)
        finish(&reply, nil)
        return reply
    }

    // MARK: Head

    private var reason: String { answer.reason ?? ReasonPhrase.standard(answer.status) }

    private func fields(_ others: [ServedField]) -> [ServedField] {
        let close = context.request.wantsClose ? [ServedField(FieldName.connection, "close")] : []
        return date + others + close
    }

    private var date: [ServedField] {
        // A script that lists a Date among its fields means that one.
        if answer.fields.contains(where: { $0.name.isSameFieldName(as: FieldName.date) }) { return [] }
        let text: String? =
            switch answer.date {
            case .now: context.now.text()
            case .none: nil
            case .offset(let seconds): context.now.adding(seconds).text()
            case .text(let text): context.text(.text(text))
            }
        return text.map { [ServedField(FieldName.date, $0)] } ?? []
    }

    // MARK: Steps

    /// Interim answers come at once.
    private var opening: [OriginReply.Step] {
        guard context.request.isHTTP11 else { return [] }
        return answer.interim.map { interim in
            let reason = ReasonPhrase.standard(interim.status)
            let fields = context.fields(interim.fields)
            return .interim(OriginReply.Head(status: interim.status, reason: reason, fields: fields))
        }
    }

    /// Adds the head and the content, then what goes wrong.
    private func finish(_ reply: inout OriginReply, _ framing: ReplyFraming?) {
        reply.steps.append(.head)
        if let framing, framing.sendsContent {
            reply.steps += pace(framing).steps(representation.content[...])
            reply.steps.append(.endOfContent)
        }
        reply = FaultTape.apply(answer.notedFaults + faults, to: reply, stall: stall)
    }

    private func pace(_ framing: ReplyFraming) -> ContentPace {
        ContentPace(chunks: answer.chunks, chunkDelay: answer.chunkDelay)
    }
}

extension ServedRequest {
    /// Whether no other request will come on the connection.
    var wantsClose: Bool {
        if endsConnection { return true }
        let options = (fields.combined(FieldName.connection) ?? "").split(separator: ",").map(\.trimmed)
        if options.contains(where: { $0.isSameFieldName(as: "close") }) { return true }
        return !isHTTP11 && !options.contains { $0.isSameFieldName(as: "keep-alive") }
    }
}
