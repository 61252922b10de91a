import Clocks
package import HTTPTypes
import LocatedYAML

/// Something that a person does in the lab.
package enum LabAction: Sendable, Hashable {
    /// A browser requests the resource.
    case request(LabCacheName, HTTPRequest.Method, [LabField])
    /// A browser's cache is emptied.
    case clear(LabCacheName)
    /// The clock is advanced.
    case advance(Duration)
    /// The clock is stopped, or runs again.
    case setClock(runs: Bool)
    /// The content at the origin changes.
    case change
    /// The origin refuses connections, or accepts them again.
    case setOrigin(isUp: Bool)
    /// The operator removes everything from the gateway's cache.
    case purge
    /// The origin responds with other fields from now on.
    case respond(LabResource)

    /// Parses an action such as `get ada Cache-Control: no-cache`, `advance 1h` or `respond etag | Vary: Accept`.
    package init(_ text: String) throws(LabProblem) {
        let parts = text.trimmed.split(separator: " ", maxSplits: 1)
        let rest = parts.count > 1 ? String(parts[1]).trimmed : ""
        switch parts.first.map(String.init) ?? "" {
        case "get": self = try Self.request(.get, rest)
        case "head": self = try Self.request(.head, rest)
        case "post": self = try Self.request(.post, rest)
        case "respond": self = .respond(try LabResource(rest))
        case "advance": self = .advance(try Self.duration(rest))
        case "clear": self = .clear(try Self.browser(rest))
        case let word:
            guard rest.isEmpty, let action = Self.plain[word] else {
                throw LabProblem(found: "\"\(text)\"", expected: Self.grammar)
            }
            self = action
        }
    }

    /// The action as text, which `init(_:)` parses.
    package var text: String {
        switch self {
        case .request(let browser, let method, let fields):
            let fields = fields.map(\.description).joined(separator: " | ")
            return "\(method.rawValue.lowercased()) \(browser.rawValue)"
                + (fields.isEmpty ? "" : " " + fields)
        case .clear(let browser): return "clear \(browser.rawValue)"
        case .advance(let duration): return "advance \(Self.text(of: duration))"
        case .respond(let resource): return "respond \(resource)".trimmed
        case .setClock, .change, .setOrigin, .purge:
            return Self.plain.first { $0.value == self }?.key ?? ""
        }
    }

    /// The syntax of actions.
    package static let grammar = """
        get, head or post with ada or ben and field lines separated by " | "; clear ada or clear ben; \
        advance DURATION; pause; run; change; down; up; purge; or respond with settings separated by " | "
        """

    /// The longest advance, a year: beyond it the dates of a long session would leave the calendar.
    static let longestAdvance = Duration.seconds(366 * 86_400)

    private static let plain: [String: LabAction] = [
        "pause": .setClock(runs: false), "run": .setClock(runs: true), "change": .change,
        "down": .setOrigin(isUp: false), "up": .setOrigin(isUp: true), "purge": .purge,
    ]

    private static func request(_ method: HTTPRequest.Method, _ rest: String) throws(LabProblem) -> LabAction
    {
        let parts = rest.split(separator: " ", maxSplits: 1)
        let browser = try browser(parts.first.map(String.init) ?? "")
        var fields: [LabField] = []
        for part in parts.count > 1 ? String(parts[1]).piped : [] {
            let field = try LabField(part)
            guard !reserved.contains(field.name) else {
                throw LabProblem(
                    found: field.name.rawName,
                    expected: "a field that the client does not write"
                )
            }
            fields.append(field)
        }
        return .request(browser, method, fields)
    }

    private static let reserved: [HTTPField.Name] = [
        .contentLength, .transferEncoding, .connection, .expect, .upgrade, .trailer, .te,
    ]

    private static func browser(_ text: String) throws(LabProblem) -> LabCacheName {
        guard let name = LabCacheName(rawValue: text), LabCacheName.browsers.contains(name) else {
            throw LabProblem(found: "the browser \"\(text)\"", expected: "ada or ben")
        }
        return name
    }

    private static func duration(_ text: String) throws(LabProblem) -> Duration {
        guard let duration = Quantity.duration(text), duration <= longestAdvance else {
            throw LabProblem(
                found: "the duration \"\(text)\"",
                expected: "a duration such as 1h, at most 366d"
            )
        }
        return duration
    }

    /// Returns a duration in its largest whole unit.
    static func text(of duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard attoseconds == 0 else { return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms" }
        for (size, unit) in [(86_400, "d"), (3600, "h"), (60, "m")]
        where seconds > 0 && seconds % Int64(size) == 0 {
            return "\(seconds / Int64(size))\(unit)"
        }
        return "\(seconds)s"
    }
}
