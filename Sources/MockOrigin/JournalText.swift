import ControlServing
import HTTPServing

/// The journal as JSON.
enum JournalText {
    static func json(_ entries: [JournalEntry]) -> String {
        "{\"exchanges\":[\n" + entries.map(entry).joined(separator: ",\n") + "\n]}\n"
    }

    static func entry(_ entry: JournalEntry) -> String {
        let request = entry.request
        var members = [
            "\"number\":\(entry.number)",
            "\"at\":\(quoted(HTTPMoment(wallSeconds: entry.arrivedAt).text()))",
            "\"method\":\(quoted(request.method))",
            "\"target\":\(quoted(request.target))",
            "\"fields\":\(fields(request.fields))",
            "\"connection\":\(request.connection)",
            "\"reused\":\(request.requestsBefore > 0)",
            "\"contentBytes\":\(entry.contentCount)",
        ]
        if entry.request.body.count < entry.contentCount { members.append("\"contentCut\":true") }
        members += content(entry.content)
        if let route = entry.route { members.append("\"route\":\(quoted(route))") }
        if !entry.nearestRoutes.isEmpty {
            members.append("\"nearestRoutes\":[\(entry.nearestRoutes.map(quoted).joined(separator: ","))]")
        }
        members.append("\"status\":\(entry.status.map(String.init) ?? "null")")
        if entry.status != nil { members.append("\"answerFields\":\(fields(entry.answerFields))") }
        let conditions = Condition.conditions(of: entry)
        if !conditions.isEmpty {
            members.append("\"conditions\":[\(conditions.map(condition).joined(separator: ","))]")
        }
        if let bytesSent = entry.bytesSent { members.append("\"bytesSent\":\(bytesSent)") }
        members.append("\"aborted\":\(entry.isAborted)")
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func fields(_ fields: [ServedField]) -> String {
        "[" + fields.map { "[\(quoted($0.name)),\(quoted($0.value))]" }.joined(separator: ",") + "]"
    }

    private static func condition(_ condition: Condition) -> String {
        "{\"field\":\(quoted(condition.field)),\"value\":\(quoted(condition.value)),"
            + "\"outcome\":\(quoted(condition.outcome))}"
    }

    private static func content(_ content: RequestContent) -> [String] {
        switch content {
        case .none, .other: []
        case .malformed(let problem): ["\"problem\":\(quoted(problem))"]
        case .json(let text): ["\"json\":\(text)"]
        case .form(let fields): ["\"form\":{\(fields.map(formField).joined(separator: ","))}"]
        case .parts(let parts): ["\"parts\":[\(parts.map(part).joined(separator: ","))]"]
        }
    }

    private static func formField(_ field: RequestContent.FormField) -> String {
        let values = field.values.map(quoted)
        let value = values.count == 1 ? values[0] : "[\(values.joined(separator: ","))]"
        return "\(quoted(field.name)):\(value)"
    }

    private static func part(_ part: RequestContent.Part) -> String {
        var members = ["\"name\":\(part.name.map(quoted) ?? "null")"]
        if let fileName = part.fileName { members.append("\"fileName\":\(quoted(fileName))") }
        if let contentType = part.contentType { members.append("\"contentType\":\(quoted(contentType))") }
        members.append("\"bytes\":\(part.contentCount)")
        if part.fileName == nil, part.body.count == part.contentCount,
            let text = String(validating: part.body, as: UTF8.self)
        {
            members.append("\"value\":\(quoted(text))")
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    static func quoted(_ text: String) -> String { JSONValue.quoted(text) }
}
