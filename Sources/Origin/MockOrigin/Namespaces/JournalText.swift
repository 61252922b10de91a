import HTTPServing
import JSON

/// The journal as JSON.
enum JournalText {
    static func json(_ entries: [RecordedExchange]) -> String {
        "{\"exchanges\":[\n" + entries.map { value($0).written() }.joined(separator: ",\n") + "\n]}\n"
    }

    static func value(_ entry: RecordedExchange) -> JSONValue {
        let request = entry.request
        var members: [(String, JSONValue)] = [
            ("number", .integer(entry.number)),
            ("at", .string(HTTPTimestamp(wallSeconds: entry.arrivedSeconds).text())),
            ("method", .string(request.method)), ("target", .string(request.target)),
            ("fields", fields(request.fields)), ("connection", .integer(request.connection)),
            ("reused", .bool(request.requestsBefore > 0)), ("contentBytes", .integer(entry.contentCount)),
        ]
        if entry.request.body.count < entry.contentCount { members.append(("contentCut", true)) }
        members += content(entry.content)
        if let route = entry.route { members.append(("route", .string(route))) }
        if !entry.nearMisses.isEmpty { members.append(("nearMisses", JSONValue(entry.nearMisses))) }
        if !entry.faults.isEmpty { members.append(("faults", JSONValue(entry.faults))) }
        if !entry.interimResponses.isEmpty {
            members.append(("interim", .array(entry.interimResponses.map(interim))))
        }
        members.append(("status", JSONValue(entry.status)))
        if entry.status != nil { members.append(("answerFields", fields(entry.answerFields))) }
        let conditions = Condition.conditions(of: entry)
        if !conditions.isEmpty { members.append(("conditions", .array(conditions.map(condition)))) }
        if let bytesSent = entry.bytesSent { members.append(("bytesSent", .integer(bytesSent))) }
        members.append(("aborted", .bool(entry.isAborted)))
        if let ending = entry.ending { members.append(("ending", .string(ending))) }
        return .object(members)
    }

    private static func fields(_ fields: [ServedField]) -> JSONValue {
        .array(fields.map { [.string($0.name), .string($0.value)] })
    }

    private static func interim(_ response: RecordedExchange.InterimResponse) -> JSONValue {
        .object([("status", .integer(response.status)), ("fields", fields(response.fields))])
    }

    private static func condition(_ condition: Condition) -> JSONValue {
        [
            "field": .string(condition.field), "value": .string(condition.value),
            "outcome": .string(condition.outcome),
        ]
    }

    private static func content(_ content: RequestContent) -> [(String, JSONValue)] {
        switch content {
        case .none, .other: []
        case .malformed(let problem): [("problem", .string(problem))]
        case .json(let value): [("json", value)]
        case .form(let fields): [("form", .object(fields.map { ($0.name, value($0)) }))]
        case .parts(let parts): [("parts", .array(parts.map(part)))]
        }
    }

    private static func value(_ field: RequestContent.FormField) -> JSONValue {
        field.values.count == 1 ? .string(field.values[0]) : JSONValue(field.values)
    }

    private static func part(_ part: RequestContent.Part) -> JSONValue {
        var members: [(String, JSONValue)] = [("name", JSONValue(part.name))]
        if let fileName = part.fileName { members.append(("fileName", .string(fileName))) }
        if let contentType = part.contentType { members.append(("contentType", .string(contentType))) }
        members.append(("bytes", .integer(part.contentCount)))
        if part.fileName == nil, part.body.count == part.contentCount,
            let text = String(validating: part.body, as: UTF8.self)
        {
            members.append(("value", .string(text)))
        }
        return .object(members)
    }
}
