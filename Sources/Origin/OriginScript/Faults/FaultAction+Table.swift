import Clocks
import JSON
import LocatedYAML

/// The script language's row of one kind of action.
package struct FaultActionRow: Sendable {
    /// Events at which the action can happen.
    var events: [FaultEvent]
    /// Whether only a socket can show it, because without one a response has no bytes; default false.
    var needsSocket = false
    /// Name, values, meaning and example.
    var reference: ReferenceRow
    /// Returns the action for an optional value; `nil` if the value is invalid.
    var parse: @Sendable (String?) -> FaultAction?
}

extension ReferenceRow {
    /// Returns the row with where its action can happen, which it explains, and how the action is read.
    fileprivate func row(
        at events: [FaultEvent],
        needsSocket: Bool = false,
        parse: @escaping @Sendable (String?) -> FaultAction?
    ) -> FaultActionRow {
        let names = events.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        let place = events == FaultEvent.allCases ? "At any event" : "At " + names
        return FaultActionRow(
            events: events,
            needsSocket: needsSocket,
            reference: explained(place),
            parse: parse
        )
    }
}

extension FaultAction.Kind {
    /// The kind's row of the table, from which the decoder, the schema and the README are made.
    package var row: FaultActionRow {
        switch self {
        case .refuse:
            ReferenceRow(
                rawValue,
                "Refuses new connections and cuts open ones; with `from`, `for` and `every` an outage or flapping",
                example: "refuse@accept from=10s for=30s every=60s"
            )
            .row(at: [.accept]) { $0 == nil ? .refuse : nil }
        case .reset:
            ReferenceRow(rawValue, "Resets the connection", example: "reset@body:100")
                .row(at: FaultEvent.allCases) { $0 == nil ? .reset : nil }
        case .close:
            ReferenceRow(rawValue, "Closes the connection", example: "close@head")
                .row(at: FaultEvent.allCases) { $0 == nil ? .close : nil }
        case .halfClose:
            ReferenceRow(
                rawValue,
                "Closes the origin's direction of the connection and keeps reading",
                example: "half-close@body:50%"
            )
            .row(at: FaultEvent.allCases, needsSocket: true) { $0 == nil ? .halfClose : nil }
        case .stall:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "stall alone, a duration such as 2s or 1s..3s, or forever",
                    SchemaValues.text
                ),
                "Sends nothing: without a value until a `release` step, for a time, or until the client gives up",
                example: "stall=30s@body:1KiB"
            )
            .row(at: FaultEvent.allCases) { Self.parseStall($0) }
        case .delay:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a duration such as 200ms or 100ms..2s", SchemaValues.text),
                "Waits",
                example: "delay=100ms..2s@before-head"
            )
            .row(at: FaultEvent.allCases) { $0.flatMap(Self.parseDuration).map { .delay($0) } }
        case .truncate:
            ReferenceRow(
                rawValue,
                "Omits the rest of the event's bytes and sends what follows it",
                example: "truncate@body:0..600"
            )
            .row(at: [.head, .body, .end], needsSocket: true) { $0 == nil ? .truncate : nil }
        case .garbage:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a size of at most 1MiB, or text", ["type": ["integer", "string"]]),
                "Inserts this many random bytes, or this text",
                example: "garbage=64@head:7"
            )
            .row(at: FaultEvent.allCases, needsSocket: true) {
                $0.flatMap(Self.parseGarbage).map { .garbage($0) }
            }
        case .duplicate:
            ReferenceRow(
                rawValue,
                takes: ValueForm("duplicate alone, or a size", SchemaValues.size),
                "Sends this many of the following bytes twice, at most 16 MiB of a message; without a value the rest of the event's",
                example: "duplicate=10@body:20"
            )
            .row(at: [.head, .body], needsSocket: true) { value in
                guard let value else { return .duplicate(bytes: nil) }
                return Self.parseSize(value).map { .duplicate(bytes: $0) }
            }
        case .rewrite:
            ReferenceRow(
                rawValue,
                takes: ValueForm("text", ["type": ["string", "number"]]),
                "Replaces as many of the following bytes by this text",
                example: "rewrite=abc@body"
            )
            .row(at: [.head, .body], needsSocket: true) { value in
                value.flatMap { $0.isEmpty ? nil : .rewrite(Array($0.utf8)) }
            }
        case .slow:
            ReferenceRow(
                rawValue,
                takes: ValueForm("bytes per second, such as 1KiB", SchemaValues.size),
                "Sends, or reads, the rest of the event's bytes at this rate",
                example: "slow=1KiB@body"
            )
            .row(at: [.requestBody, .head, .body]) {
                $0.flatMap(Self.parseSize).map { .slow(bytesPerSecond: $0) }
            }
        case .contentLength:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a change such as +10 or -10", ["type": ["integer", "string"]]),
                "Adds this to the value of Content-Length, even if the content would be chunked, and ends the connection",
                example: "content-length=+10@head"
            )
            .row(at: [.head], needsSocket: true) { value in
                guard let value, let change = Int(value), change != 0, change.magnitude <= 1 << 30
                else { return nil }
                return .contentLength(change: change)
            }
        case .status:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a status from 200 to 999, with the seconds of Retry-After as in 503/30s",
                    SchemaValues.integer(200...999)
                ),
                "Replaces the response by one without content; as a map `{status: 503, retry-after: 30s}`",
                example: "status=503/30s@before-head"
            )
            .row(at: [.beforeHead]) { $0.flatMap(Self.parseStatus) }
        case .interim:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a status from 100 to 199, not 101", SchemaValues.integer(100...199)),
                "Sends a 1xx response first",
                example: "interim=103@before-head"
            )
            .row(at: [.beforeHead]) { value in
                guard let value, let status = Int(value), (100...199).contains(status), status != 101
                else { return nil }
                return .interim(status)
            }
        }
    }

    /// The expected form of the value.
    var expected: String { row.reference.value ?? "\(rawValue) without a value" }

    private static func parseStall(_ value: String?) -> FaultAction? {
        guard let value else { return .stall(.untilReleased) }
        return value == "forever" ? .stall(.forever) : parseDuration(value).map { .stall(.time($0)) }
    }

    private static func parseDuration(_ value: String) -> RandomRange<Duration>? {
        RandomRange(value) { Quantity.duration($0) }
    }

    private static func parseSize(_ value: String) -> Int? {
        Quantity.size(value).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Parses a size, or the bytes themselves as text.
    private static func parseGarbage(_ value: String) -> FaultAction.Garbage? {
        guard let count = Quantity.size(value) else { return value.isEmpty ? nil : .bytes(Array(value.utf8)) }
        return (1...1 << 20).contains(count) ? .drawn(count: count) : nil
    }

    /// Parses `503`, or `503/30s` with the value of Retry-After.
    private static func parseStatus(_ value: String) -> FaultAction? {
        let parts = value.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let status = Int(parts[0]), (200...999).contains(status) else { return nil }
        if parts.count == 1 { return .status(status, retryAfter: nil) }
        guard let after = Quantity.offsetSeconds(parts[1]), after >= 0 else { return nil }
        return .status(status, retryAfter: .seconds(after))
    }
}

extension FaultAction {
    /// The kind, and the value as it is written before `@`; `nil` for an action without a value.
    private var written: (kind: Kind, value: String?) {
        switch self {
        case .refuse: (.refuse, nil)
        case .reset: (.reset, nil)
        case .close: (.close, nil)
        case .halfClose: (.halfClose, nil)
        case .stall(.untilReleased): (.stall, nil)
        case .stall(.forever): (.stall, "forever")
        case .stall(.time(let time)): (.stall, time.text(Self.text))
        case .delay(let time): (.delay, time.text(Self.text))
        case .truncate: (.truncate, nil)
        case .garbage(.drawn(let count)): (.garbage, "\(count)")
        case .garbage(.bytes(let bytes)): (.garbage, String(decoding: bytes, as: UTF8.self))
        case .duplicate(let count): (.duplicate, count.map { "\($0)" })
        case .rewrite(let bytes): (.rewrite, String(decoding: bytes, as: UTF8.self))
        case .slow(let rate): (.slow, "\(rate)")
        case .contentLength(let change): (.contentLength, change > 0 ? "+\(change)" : "\(change)")
        case .status(let status, let after):
            (.status, "\(status)" + (after.map { "/\($0.wholeSeconds)s" } ?? ""))
        case .interim(let status): (.interim, "\(status)")
        }
    }

    /// The kind, without its value.
    public var kind: Kind { written.kind }

    /// The value as it is written; `nil` for an action without one.
    var value: String? { written.value }

    /// Whether it can be shown on a socket only.
    public var needsSocket: Bool { kind.row.needsSocket }
}
