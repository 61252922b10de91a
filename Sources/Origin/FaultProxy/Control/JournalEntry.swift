import Clocks
import HTTPArchive
import HTTPServing
import JSON
import MockOrigin

/// A proxy's record of one exchange.
public struct JournalEntry: Sendable, Hashable {
    /// Its place in the order of the journal, from 1; also of connections without requests.
    public internal(set) var id = 0
    /// Its number, from 1.
    public let number: Int
    /// The connection and the request's number on it; only the connection where no request was read.
    public let name: String
    /// The request's method.
    public let method: String
    /// The request's target, such as `/a?b=c`; an absolute URL at a forward proxy.
    public let target: String
    /// When the request's head was read, in seconds since 1970.
    package let startedSeconds: Double
    /// The label of the rule that matched; empty for none.
    public let rule: String
    /// The status that was sent; `nil` before that, and where a fault cut the head off.
    public internal(set) var status: Int?
    /// The status of the upstream, where another one was sent, or none.
    public internal(set) var upstreamStatus: Int?
    /// The injected faults, each with its place, such as `reset@body:20000`.
    public internal(set) var injected: [String] = []
    /// The kind of its end; `nil` while it continues.
    public internal(set) var ended: String?
    /// The reason why the upstream was not asked, where that is not a fault.
    public internal(set) var cause: String?
    /// Milliseconds until it ended.
    package internal(set) var milliseconds: Double?
    /// The head of the request as it was received; empty if none was read.
    public internal(set) var requestHead: [UInt8] = []
    /// The head of the response as it was sent; empty before that, and where a fault ended the connection before.
    public internal(set) var responseHead: [UInt8] = []
    /// The content of the request as the upstream has received it; empty until the exchange has ended.
    var requestContent = KeptContent()
    /// The content of the response as the client has received it; empty until the exchange has ended.
    var responseContent = KeptContent()

    /// When the request's head was read, since 1970-01-01T00:00:00Z.
    public var startedAt: Duration { .saturating(seconds: startedSeconds) }

    /// The time until it ended; `nil` while it continues.
    public var duration: Duration? { milliseconds.map { .milliseconds($0) } }

    /// Bytes of contents that are kept.
    var keptBytes: Int { requestContent.bytes.count + responseContent.bytes.count }

    /// Bytes of the heads, and of the target, which is stored with them.
    var headBytes: Int { requestHead.count + responseHead.count + target.utf8.count }

    /// The entry as the control API shows it.
    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("id", .integer(id)), ("number", .integer(number)), ("name", .string(name)),
            ("method", .string(method)),
            ("target", .string(target)), ("time", .decimal(startedSeconds, places: 3)),
        ]
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append((name, value)) }
        }
        add("rule", rule.isEmpty ? nil : .string(rule))
        add("status", status.map { .integer($0) })
        add("upstreamStatus", upstreamStatus.map { .integer($0) })
        add("injected", .array(injected.map { .string($0) }))
        add("ended", ended.map { .string($0) })
        add("cause", cause.map { .string($0) })
        add("milliseconds", milliseconds.map { .decimal($0, places: 3) })
        add("fields", requestHead.isEmpty ? nil : Self.fields(requestHead))
        add("answerFields", responseHead.isEmpty ? nil : Self.fields(responseHead))
        return .object(members)
    }

    private static func fields(_ head: [UInt8]) -> JSONValue {
        .array(HeadBytes(head).fields.map { [.string($0.name), .string($0.value)] })
    }

    /// Returns the entry for an archive; `origin` is the scheme and authority of targets without them.
    func archived(_ origin: String) -> HTTPArchive.Exchange {
        let url = target.hasPrefix("/") ? origin + target : target
        var exchange = HTTPArchive.Exchange(startedAt: startedSeconds, method: method, url: url)
        exchange.milliseconds = milliseconds ?? 0
        exchange.request = Self.message(requestHead, requestContent)
        exchange.response = Self.message(responseHead, responseContent)
        exchange.note(status: status)
        exchange.note(
            injected: injected,
            ended: ended == "complete" ? nil : ended,
            rule: rule.isEmpty ? nil : rule
        )
        return exchange
    }

    private static func message(_ head: [UInt8], _ content: KeptContent) -> HTTPArchive.WrittenMessage {
        HTTPArchive.WrittenMessage(HeadBytes(head).fields.map { ServedField($0.name, $0.value) }, content)
    }
}
