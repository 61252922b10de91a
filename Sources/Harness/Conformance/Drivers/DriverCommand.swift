import CacheSemantics
import Clocks
import JSON
import OriginScript
import TextCodings

/// A command to a driver.
enum DriverCommand: Sendable {
    case hello
    case reset(wallSeconds: Double)
    case restart
    case request(SubjectRequest)
    case advance(Duration)
    case idle
    case dump

    /// The command's name in the protocol.
    var name: String {
        switch self {
        case .hello: "hello"
        case .reset: "reset"
        case .restart: "restart"
        case .request: "request"
        case .advance: "advance"
        case .idle: "idle"
        case .dump: "dump"
        }
    }

    /// The command as error messages name it: `request GET http://…`.
    var title: String {
        if case .request(let request) = self { return "request \(request.method) \(request.url)" }
        return name
    }

    /// Returns the line to send, without its line end.
    func line(id: Int) -> String {
        JSONValue.object([("id", .integer(id)), ("op", .string(name))] + members).written()
    }

    private var members: [(String, JSONValue)] {
        switch self {
        case .hello: [("protocol", .integer(DriverCapabilities.protocolVersion))]
        case .reset(let wallSeconds): [("now", .seconds(wallSeconds))]
        case .advance(let duration): [("milliseconds", .integer(duration.milliseconds))]
        case .request(let request): Self.members(request)
        case .restart, .idle, .dump: []
        }
    }

    private static func members(_ request: SubjectRequest) -> [(String, JSONValue)] {
        [
            ("method", .string(request.method)), ("url", .string(request.url)),
            ("fields", .array(request.fields.map { JSONValue([$0.name, $0.value]) })),
            ("body", request.body.map(body) ?? .null), ("policy", JSONValue(request.policy?.rawValue)),
            ("timeout", JSONValue(request.timeout?.milliseconds)),
            ("redirects", .bool(request.followsRedirects)),
        ]
    }

    /// Returns text content as text, so that a driver's author can read it, and any other content in base64.
    private static func body(_ bytes: [UInt8]) -> JSONValue {
        let text = String(decoding: bytes, as: UTF8.self)
        if Array(text.utf8) == bytes { return .object([("text", .string(text))]) }
        return .object([("base64", .string(Base64.encode(bytes)))])
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int {
        Int(min(max(self / .milliseconds(1), -0x1p62), 0x1p62))
    }
}
