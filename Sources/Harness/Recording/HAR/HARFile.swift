import Clocks
public import FaultProxy
import HTTPServing
import CacheClient
import FoundationEssentials
import HTTPArchive
import HTTPTypes
import JSON
public import LocatedYAML
import TextCodings

/// Conversion of exchanges from and to HTTP archives (HAR 1.2).
public enum HARFile {
    /// Returns the text of a file with these exchanges, in the order of their start; `version` is this program's.
    public static func text(_ exchanges: [CapturedExchange], version: String) -> String {
        JSONValue.object([("log", log(exchanges, version: version))]).written(.indented) + "\n"
    }

    /// The value of `log`.
    static func log(_ exchanges: [CapturedExchange], version: String) -> JSONValue {
        let ordered = exchanges.enumerated().sorted { left, right in
            (left.element.startedAt, left.offset) < (right.element.startedAt, right.offset)
        }
        return .object([
            ("version", .string("1.2")),
            ("creator", .object([("name", .string("cachecheck")), ("version", .string(version))])),
            ("pages", .array([])),
            ("entries", .array(ordered.map { HAREntry($0.element).json })),
        ])
    }

    /// Parses a file; throws all its problems at once, with their positions.
    ///
    /// Only complete entries are returned; `onOmission` is called for the others.
    public static func exchanges(
        _ text: String,
        file: String,
        onOmission: (String) -> Void = { _ in }
    ) throws(YAMLProblems) -> [CapturedExchange] {
        let archive = try HTTPArchive(json: text, file: file)
        let problems = ProblemCollector()
        var exchanges: [CapturedExchange] = []
        for entry in archive.entries {
            switch HAREntryReader(problems: problems).read(entry) {
            case .exchange(let exchange): exchanges.append(exchange)
            case .omitted(let reason): onOmission("\(entry.node.position): \(reason)")
            case nil: break
            }
        }
        try problems.throwIfAny()
        return exchanges
    }
}

/// An exchange as an entry.
struct HAREntry {
    private let exchange: CapturedExchange

    init(_ exchange: CapturedExchange) {
        self.exchange = exchange
    }

    var json: JSONValue {
        let wait = max(.zero, exchange.answeredAt - exchange.startedAt).seconds * 1000
        let total = max(exchange.duration.seconds * 1000, wait)
        return .object([
            ("startedDateTime", .string(Self.moment(exchange.startedAt.seconds))),
            ("time", Self.milliseconds(total)),
            ("request", request), ("response", response),
            ("cache", .object([])),
            (
                "timings",
                .object([
                    ("send", 0), ("wait", Self.milliseconds(wait)),
                    ("receive", Self.milliseconds(total - wait)),
                ])
            ),
        ])
    }

    /// Returns a time with the precision of microseconds; -1 means unknown in archives.
    private static func milliseconds(_ value: Double) -> JSONValue {
        value.magnitude < 1e15 ? .decimal(value, places: 3) : -1
    }

    private static func moment(_ seconds: Double) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return Date(timeIntervalSince1970: seconds).formatted(style)
    }

    private var request: JSONValue {
        var members: [(String, JSONValue)] = [
            ("method", .string(exchange.method)), ("url", .string(exchange.origin + exchange.target)),
            ("httpVersion", .string("HTTP/1.1")),
            ("cookies", .array(cookies(exchange.requestFields.combined(FieldName.cookie)))),
            ("headers", Self.fields(exchange.requestFields)), ("queryString", .array(queryString)),
            ("headersSize", -1), ("bodySize", .integer(exchange.requestBody.count)),
        ]
        if !exchange.requestBody.isEmpty {
            let type = exchange.requestFields.combined(FieldName.contentType) ?? "application/octet-stream"
            let text = String(decoding: exchange.requestBody, as: UTF8.self)
            members.append(("postData", .object([("mimeType", .string(type)), ("text", .string(text))])))
        }
        return .object(members)
    }

    private var response: JSONValue {
        let response = exchange.response
        return .object([
            ("status", .integer(response.status)), ("statusText", .string(response.reason)),
            ("httpVersion", .string("HTTP/1.1")), ("cookies", .array([])),
            ("headers", Self.fields(response.fields)), ("content", content),
            ("redirectURL", .string(response.fields.combined(FieldName.location) ?? "")),
            ("headersSize", -1), ("bodySize", .integer(response.body.count)),
        ])
    }

    /// The content, decoded as HAR requires if that is possible.
    private var content: JSONValue {
        let response = exchange.response
        let type = response.fields.combined(FieldName.contentType) ?? ""
        let bytes = Self.decoded(response)
        var members: [(String, JSONValue)] = [("size", .integer(bytes.count)), ("mimeType", .string(type))]
        if let text = String(validating: bytes, as: UTF8.self) {
            members.append(("text", .string(text)))
        } else {
            members.append(("text", .string(Base64.encode(bytes))))
            members.append(("encoding", .string("base64")))
        }
        return .object(members)
    }

    private static func decoded(_ response: CapturedExchange.Response) -> [UInt8] {
        var head = HTTPResponse(status: .init(code: response.status))
        for field in response.fields {
            if let name = HTTPField.Name(field.name) {
                head.headerFields.append(HTTPField(name: name, value: field.value))
            }
        }
        do throws(TransportError) {
            return try ContentDecoder.decode(response.body, of: head, limit: 64 << 20)
        } catch {
            return response.body
        }
    }

    private static func fields(_ fields: [CapturedExchange.Field]) -> JSONValue {
        .array(fields.map { .object([("name", .string($0.name)), ("value", .string($0.value))]) })
    }

    private var queryString: [JSONValue] {
        (exchange.query ?? "").split(separator: "&").map { pair in
            let name = String(pair.prefix { $0 != "=" })
            let value = String(pair.dropFirst(name.count + 1))
            return .object([
                ("name", .string(PercentText.text(name, plusIsSpace: true))),
                ("value", .string(PercentText.text(value, plusIsSpace: true))),
            ])
        }
    }

    private func cookies(_ line: String?) -> [JSONValue] {
        (line ?? "").split(separator: ";").map { pair in
            let pair = pair.drop { $0 == " " }
            let name = String(pair.prefix { $0 != "=" })
            return .object([
                ("name", .string(name)), ("value", .string(String(pair.dropFirst(name.count + 1)))),
            ])
        }
    }
}
