import ControlServing
import JSON

/// The reason why a request to the Toxiproxy API is rejected: the statuses and sentences that its clients know.
struct ToxiproxyProblem: Error, Sendable, Hashable {
    let status: Int
    let sentence: String

    static let proxyNotFound = ToxiproxyProblem(status: 404, sentence: "proxy not found")
    static let proxyExists = ToxiproxyProblem(status: 409, sentence: "proxy already exists")
    static let invalidStream = ToxiproxyProblem(
        status: 400,
        sentence: "stream was invalid, can be either upstream or downstream"
    )
    static let invalidToxicType = ToxiproxyProblem(status: 400, sentence: "invalid toxic type")
    static let toxicExists = ToxiproxyProblem(status: 409, sentence: "toxic already exists")
    static let toxicNotFound = ToxiproxyProblem(status: 404, sentence: "toxic not found")
    static let browser = ToxiproxyProblem(status: 403, sentence: "User agent not allowed")

    static let foreignHost = ToxiproxyProblem(
        status: 403,
        sentence: "Host not allowed, expected localhost or an IP address"
    )

    static func badContent(_ reason: String) -> ToxiproxyProblem {
        ToxiproxyProblem(status: 400, sentence: "bad request body: \(reason)")
    }

    static func missing(_ field: String) -> ToxiproxyProblem {
        ToxiproxyProblem(status: 400, sentence: "missing required field: \(field)")
    }

    var members: JSONValue { ["error": .string(sentence), "status": .integer(status)] }

    var answer: ControlAnswer { .json(status: status, members) }
}

extension JSONValue {
    /// Returns the text of a member; `nil` if it is missing or null.
    func text(_ name: String) throws(ToxiproxyProblem) -> String? {
        guard let value = self[name], value != .null else { return nil }
        guard let text = value.text else { throw .badContent("\(name): expected a string") }
        return text
    }

    /// Returns the Boolean value of a member; `nil` if it is missing or null.
    func bool(_ name: String) throws(ToxiproxyProblem) -> Bool? {
        guard let value = self[name], value != .null else { return nil }
        guard case .bool(let bool) = value else { throw .badContent("\(name): expected true or false") }
        return bool
    }
}
