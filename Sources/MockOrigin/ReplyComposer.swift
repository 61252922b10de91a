import HTTPServing
import OriginScript

/// Turns an answer and a request into a reply; decides everything and does nothing.
struct ReplyComposer {
    let answer: Answer
    let context: AnswerContext
    /// Where the answer waits for its release, if it does.
    let stall: Hold?
    private let representation: Representation

    /// Reads the content; throws when a fixture is missing.
    init(
        _ answer: Answer,
        _ context: AnswerContext,
        contents: ContentStore,
        stall: Hold?
    ) throws(ContentStore.Missing) {
        self.answer = answer
        self.context = context
        self.stall = stall
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

    /// Interim answers come at once; the delay and the stall are before the final head.
    private var opening: [OriginReply.Step] {
        var steps: [OriginReply.Step] = []
        if context.request.isHTTP11 {
            steps = answer.interim.map { interim in
                let reason = ReasonPhrase.standard(interim.status)
                let fields = context.fields(interim.fields)
                return .interim(OriginReply.Head(status: interim.status, reason: reason, fields: fields))
            }
        }
        if answer.delay > .zero { steps.append(.wait(answer.delay)) }
        if answer.stall == .head, let stall { steps.append(.hold(stall)) }
        return steps
    }

    /// Adds the head, the content and what goes wrong.
    private func finish(_ reply: inout OriginReply, _ framing: ReplyFraming?) {
        switch answer.failure {
        case .never:
            reply.steps.append(.hold(Hold()))
            reply.ending = .close
            return
        case .closeBeforeHead: reply.ending = .close
        case .resetBeforeHead: reply.ending = .reset
        case .close(let count): cut(&reply, framing, at: count, .close)
        case .reset(let count): cut(&reply, framing, at: count, .reset)
        case nil: whole(&reply, framing)
        }
    }

    private func whole(_ reply: inout OriginReply, _ framing: ReplyFraming?) {
        head(&reply)
        guard let framing, framing.sendsContent else { return }
        reply.steps += pace(framing).steps(representation.content[...], limit: nil)
        reply.steps.append(.endOfContent)
    }

    private func cut(
        _ reply: inout OriginReply,
        _ framing: ReplyFraming?,
        at count: Int,
        _ ending: RawReply.Ending
    ) {
        head(&reply)
        reply.ending = ending
        reply.isCut = true
        guard let framing, framing.sendsContent else { return }
        reply.steps += pace(framing).steps(representation.content[...], limit: count)
    }

    private func head(_ reply: inout OriginReply) {
        reply.steps.append(.head)
        if answer.stall == .body, let stall { reply.steps.append(.hold(stall)) }
    }

    private func pace(_ framing: ReplyFraming) -> ContentPace {
        ContentPace(chunks: answer.chunks, chunkDelay: answer.chunkDelay, rate: answer.rate)
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
