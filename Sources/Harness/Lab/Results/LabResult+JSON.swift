import CacheClient
import CacheSemantics
import Explanation
import HTTPTypes
package import JSON

extension LabResult {
    /// The result for the page.
    package var json: JSONValue {
        let members: JSONValue = [
            "action": .string(action.text), "events": .array(events.map(\.json)),
            "source": JSONValue(source?.rawValue),
        ]
        guard let answer, case .request(_, let method, let fields) = action else { return members }
        let request = Self.curl(method, url, fields.map { ($0.name.rawName, $0.value) })
        return members.adding(["answer": answer.json, "curl": .string(request)])
    }

    /// Returns the command that sends a request by curl.
    static func curl(_ method: HTTPRequest.Method, _ url: String, _ fields: [(String, String)]) -> String {
        let option =
            switch method {
            case .get: "curl -i"
            case .head: "curl -I"
            case .post: "curl -i -d edit=1"
            default: "curl -i -X \(method.rawValue)"
            }
        let lines = fields.map { " -H " + quoted("\($0.0): \($0.1)") }.joined()
        return option + lines + " " + quoted(url)
    }

    /// Returns a word of the shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}

extension LabAnswer {
    var json: JSONValue {
        switch self {
        case .failure(let reason): return ["error": .string(reason)]
        case .response(let answer):
            return [
                "status": .integer(answer.response.status.code), "fields": answer.response.headerFields.json,
                "content": .string(String(decoding: answer.body.prefix(2000), as: UTF8.self)),
                "size": .integer(answer.body.count), "age": JSONValue(answer.ageSeconds),
                "cache-status": .string(answer.cacheStatus.description),
            ]
        }
    }
}

extension LabEvent {
    var json: JSONValue {
        switch self {
        case .decision(let decision): return decision.json
        case .settlement(let settlement): return settlement.json
        case .request(let sender, let request): return Self.json(request, from: sender)
        case .failure(let receiver, let reason):
            return ["type": "failure", "cache": .string(receiver.rawValue), "detail": .string(reason)]
        case .response(let receiver, let message):
            return [
                "type": "response", "cache": .string(receiver.rawValue),
                "status": .integer(message.head.status.code), "fields": message.head.headerFields.json,
                "content": .string(String(decoding: message.content, as: UTF8.self)),
                "size": .integer(message.count),
            ]
        }
    }

    private static func json(_ request: HTTPRequest, from sender: LabCacheName) -> JSONValue {
        let host = JSONValue.array([.array(["Host", .string(request.authority ?? "")])])
        let url = "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "")"
        let fields = request.headerFields.map { ($0.name.rawName, $0.value) }
        return [
            "type": "request", "cache": .string(sender.rawValue),
            "method": .string(request.method.rawValue), "path": .string(request.path ?? ""),
            "fields": host.joined(request.headerFields.json),
            "curl": .string(LabResult.curl(request.method, url, fields)),
        ]
    }
}

extension LabDecision {
    var json: JSONValue {
        let explanation = explanation
        return [
            "type": "decision", "cache": .string(cache.rawValue), "outcome": .string(outcome.rawValue),
            "background": .bool(validatesInBackground), "because": reason.json,
            "findings": .array(planned.findings.map(\.json)),
            "statements": .array(
                explanation.statements.filter { $0.topic != .use && $0.topic != .nearest }.map(\.json)
            ),
        ]
    }

    /// The finding that decided.
    var reason: Finding {
        let use = explanation.statements.first { $0.topic == .use }
        let isServed = outcome == .served || outcome == .servedStale
        let found = planned.findings.last { $0.rule.rawValue == use?.rule && $0.held == isServed }
        return found ?? planned.findings.first { !$0.held } ?? planned.findings.last
            ?? Finding(.forwardURIMiss, held: true, "nothing is stored for this URL")
    }
}

extension LabSettlement {
    var json: JSONValue {
        let reason = reason?.json ?? .null
        return [
            "type": "settlement", "cache": .string(cache.rawValue), "effect": .string(effect.rawValue),
            "because": reason, "findings": .array(findings.map(\.json)),
        ]
    }
}

extension Finding {
    /// The finding with its rule's sentence and section.
    var json: JSONValue {
        [
            "rule": .string(rule.rawValue), "section": .string(rule.section),
            "requirement": .string(rule.sentence), "held": .bool(held), "detail": .string(detail),
        ]
    }
}

extension Statement {
    fileprivate var json: JSONValue {
        [
            "topic": .string(topic.rawValue), "sentence": .string(sentence), "rule": .string(rule),
            "section": .string(section),
        ]
    }
}

extension HTTPFields {
    /// Pairs of name and value, in order.
    var json: JSONValue { .array(map { .array([.string($0.name.rawName), .string($0.value)]) }) }
}

extension JSONValue {
    /// Returns an array followed by another.
    fileprivate func joined(_ other: JSONValue) -> JSONValue {
        guard case .array(let left) = self, case .array(let right) = other else { return self }
        return .array(left + right)
    }
}
