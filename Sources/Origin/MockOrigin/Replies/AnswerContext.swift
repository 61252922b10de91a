import HTTPServing
import OriginScript
import TextCodings

/// The inputs of a reply's composition: the request, times and the values of variables.
struct AnswerContext {
    /// The request, its target below the script's base.
    var request: ServedRequest
    var now: HTTPTimestamp
    /// The time at which the script started.
    var startedAt: HTTPTimestamp
    /// The value of `${base}`.
    var base = ""
    /// The value of `${other}`.
    var other = ""
    /// The number of the request at its route, from 1.
    var count = 1
    /// Seconds since the script started.
    var elapsedSeconds = 0.0
    /// Parameters of the path pattern.
    var parameters: [String: String] = [:]

    /// Returns the text that is sent for a scripted field value.
    func text(_ value: FieldValue) -> String {
        if case .text(let text) = value, Template.isWorthReading(text), let template = Template(text) {
            return template.text { self.value(of: $0, revision: 0) }
        }
        return value.text(
            in: FieldContext(
                base: base,
                other: other,
                now: .seconds(now.seconds),
                start: .seconds(startedAt.seconds)
            )
        )
    }

    /// Returns the fields that are sent for scripted lines.
    func fields(_ lines: [FieldLine]) -> [ServedField] {
        lines.map { ServedField($0.name, text($0.value)) }
    }

    /// The path below the script's base, as it was sent.
    var path: String { TargetParts(request.target).path }

    /// The path below the script's base, decoded if possible.
    var decodedPath: String { PercentText.decode(path) ?? path }

    /// Returns the value of a variable; empty if the request has none.
    func value(of variable: TemplateVariable, revision: Int) -> String {
        switch variable {
        case .base: base
        case .other: other
        case .now: now.text()
        case .unix: "\(now.seconds)"
        case .method: request.method
        case .path: path
        case .query: TargetParts(request.target).query ?? ""
        case .body: String(decoding: request.body, as: UTF8.self)
        case .dollar: "$"
        case .count: "\(count)"
        case .revision: "\(revision)"
        case .parameter(let name): parameters[name] ?? ""
        case .queryValue(let name): RoutedRequest(request).queryValues(name).first ?? ""
        case .field(let name): request.fields.combined(name) ?? ""
        case .formValue(let name): RoutedRequest(request).formValues(name).first ?? ""
        case .json(let path): RoutedRequest(request).jsonTexts(path).first ?? ""
        }
    }
}
