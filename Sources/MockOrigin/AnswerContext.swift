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
        switch value {
        case .text(let text): expand(text)
        case .date(let offset, let form): now.adding(offset).text(form)
        case .fixedDate(let offset, let form): startedAt.adding(offset).text(form)
        }
    }

    /// Returns the fields that are sent for scripted lines.
    func fields(_ lines: [FieldLine]) -> [ServedField] {
        lines.map { ServedField($0.name, text($0.value)) }
    }

    /// Replaces the variables.
    private func expand(_ text: String) -> String {
        guard text.contains("$") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "$") {
            result += rest[..<start]
            rest = rest[start...]
            guard let (name, value) = variables.first(where: { rest.hasPrefix($0.name) }) else {
                result.append(rest.removeFirst())
                continue
            }
            result += value
            rest = rest.dropFirst(name.count)
        }
        return result + rest
    }

    private var variables: [(name: String, value: String)] {
        [("${base}", base), ("${other}", other), ("${now}", now.text())]
    }
}
