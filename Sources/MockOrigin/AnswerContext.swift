import HTTPServing
import OriginScript

/// What an answer is made for: the request, the times and the texts that stand for variables.
struct AnswerContext {
    var request: ServedRequest
    var now: HTTPMoment
    /// The moment the script began.
    var startedAt: HTTPMoment
    /// What `${base}` stands for.
    var base = ""
    /// What `${other}` stands for.
    var other = ""

    /// Returns the text that is sent for a scripted field value.
    func text(_ value: FieldValue) -> String {
        value.text(
            in: FieldContext(base: base, other: other, now: now.seconds, start: startedAt.seconds)
        )
    }

    /// Returns the fields that are sent for scripted lines.
    func fields(_ lines: [FieldLine]) -> [ServedField] {
        lines.map { ServedField($0.name, text($0.value)) }
    }
}
