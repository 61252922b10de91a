import HTTPServing
import OriginScript

extension OriginReply {
    /// Returns the reply for an answer; 500 at once when a fixture is missing, so that no exchange is left open.
    static func compose(
        _ answer: Answer,
        _ context: AnswerContext,
        _ contents: ContentStore,
        stall: Hold = Hold(),
        faults: [Fault]? = nil
    ) -> OriginReply {
        let faults = faults ?? answer.faults
        let answer = answer.replaced(by: faults)
        do {
            return try ReplyComposer(answer, context, contents: contents, stall: stall, faults: faults)
                .reply()
        } catch {
            let text = "The fixture \(error.name) cannot be read."
            return compose(.plain(status: 500, text), context, contents)
        }
    }

    /// Status of the head that is sent; `nil` when the answer ends before one.
    var finalStatus: Int? {
        let hasHead = steps.contains { step in
            switch step {
            case .head, .part(.head, _, completes: true): true
            default: false
            }
        }
        return hasHead ? head.status : nil
    }
}

extension Answer {
    /// Returns an answer with a text for people.
    static func plain(status: Int, _ text: String, fields: [FieldLine] = []) -> Answer {
        var answer = Answer()
        answer.status = status
        answer.fields = [FieldLine(FieldName.contentType, .text("text/plain; charset=utf-8"))] + fields
        answer.body = .text(text + "\n")
        return answer
    }
}
