import HTTPServing
import OriginScript

extension ComposedReply {
    /// Returns the reply for an answer; 500 if a fixture is missing, so that no exchange stays open.
    static func compose(
        _ answer: Answer,
        _ context: AnswerContext,
        _ contents: ContentStore,
        stall: Hold = Hold(),
        faults: [Fault]? = nil
    ) -> ComposedReply {
        let faults = faults ?? answer.faults
        let answer = answer.replaced(by: faults)
        do {
            return try ReplyComposer(answer, context, contents: contents, stall: stall, faults: faults)
                .reply()
        } catch {
            return compose(.missing(error, context), context, contents)
        }
    }

    /// Status of the head that is sent; `nil` if the answer ends before its head.
    var finalStatus: Int? {
        let hasHead = steps.contains { step in
            switch step {
            case .head, .headSent: true
            default: false
            }
        }
        return hasHead ? head.status : nil
    }
}

extension Answer {
    /// Returns the answer for missing content.
    fileprivate static func missing(_ missing: ContentStore.Missing, _ context: AnswerContext) -> Answer {
        switch missing.reason {
        case .fixture: return plain(status: 500, "The fixture \(missing.name) cannot be read.")
        case .requested: return plain(status: 404, "There is no file \(missing.name).")
        // A 404 means that there is no such resource, and caches may store it.
        case .unreadable(let reason):
            return plain(status: 500, "The file \(missing.name) cannot be read: \(reason).")
        case .folder:
            let target = TargetParts(context.request.target)
            let place = context.base + target.path + "/" + (target.query.map { "?" + $0 } ?? "")
            let location = FieldLine(FieldName.location, .text(place.replacing("${", with: "$%7B")))
            return plain(status: 301, "The folder is at \(place).", fields: [location])
        }
    }

    /// Returns an answer with a plain text.
    static func plain(status: Int, _ text: String, fields: [FieldLine] = []) -> Answer {
        var answer = Answer()
        answer.status = status
        answer.fields = [FieldLine(FieldName.contentType, .text("text/plain; charset=utf-8"))] + fields
        answer.body = .text(text + "\n")
        return answer
    }
}
