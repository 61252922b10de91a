import CacheSemantics
import HTTPTypes
public import LocatedYAML

/// The exchanges of an HTTP archive (HAR 1.2).
public struct HARFile: Sendable {
    private let entries: [YAMLNode]

    /// Reads the JSON of an archive.
    public init(json text: String, file: String) throws(YAMLProblems) {
        let root = try YAMLNode.parse(json: text, file: file, size: .archive)
        guard let entries = root.value(of: "log")?.value(of: "entries")?.elements else {
            throw Self.problem(root, "an object with log.entries")
        }
        self.entries = entries
    }

    /// How many exchanges there are.
    public var count: Int { entries.count }

    /// Reads an exchange by its number from 1, which has to be one that is there.
    public func exchange(_ number: Int) throws(YAMLProblems) -> ExplainedExchange {
        let entry = entries[number - 1]
        let request = try Self.request(of: entry)
        let response = try Self.response(of: entry)
        guard let started = entry.value(of: "startedDateTime")?.scalarText.flatMap(Self.date) else {
            throw Self.problem(
                entry.value(of: "startedDateTime") ?? entry,
                "a startedDateTime such as 2026-01-01T00:00:00Z"
            )
        }
        var exchange = ExplainedExchange(request: request, response: response, at: started)
        // Waiting for the answer makes the delay; receiving the content is after the head.
        let timings = entry.value(of: "timings")
        let parts = ["blocked", "dns", "connect", "send", "wait"].compactMap { name in
            timings?.value(of: name)?.scalarText.flatMap { Double($0) }
        }
        let milliseconds = parts.filter { $0 > 0 }.reduce(0, +)
        exchange.responseTime = started.advanced(
            by: Int64(exactly: (milliseconds / 1_000).rounded(.down)) ?? 0
        )
        return exchange
    }

    private static func request(of entry: YAMLNode) throws(YAMLProblems) -> HTTPRequest {
        guard let node = entry.value(of: "request"), let url = node.value(of: "url")?.scalarText,
            let (scheme, authority, path) = RawHead.absolute(url)
        else { throw problem(entry, "a request with an http or https url") }
        let method = node.value(of: "method")?.scalarText.flatMap { HTTPRequest.Method($0) } ?? .get
        return HTTPRequest(
            method: method,
            scheme: scheme,
            authority: authority,
            path: path,
            headerFields: fields(of: node)
        )
    }

    private static func response(of entry: YAMLNode) throws(YAMLProblems) -> HTTPResponse {
        guard let node = entry.value(of: "response"),
            let code = node.value(of: "status")?.scalarText.flatMap({ Int($0) }), (100...999).contains(code)
        else { throw problem(entry, "a response with a status") }
        return HTTPResponse(status: .init(code: code), headerFields: fields(of: node))
    }

    /// The fields of a message; pseudo-header fields of HTTP/2 and what is no field are left out.
    private static func fields(of message: YAMLNode) -> HTTPFields {
        var fields = HTTPFields()
        for node in message.value(of: "headers")?.elements ?? [] {
            guard let name = node.value(of: "name")?.scalarText.flatMap({ HTTPField.Name($0) }),
                name.canonicalName != "host"
            else { continue }
            // Browsers put the lines of one field into one, with line feeds between.
            let text = node.value(of: "value")?.scalarText ?? ""
            for line in text.split(separator: "\n") {
                fields.append(HTTPField(name: name, value: String(line)))
            }
        }
        return fields
    }

    /// A date in the form of ISO 8601 that archives have.
    static func date(_ text: String) -> HTTPDate? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[13] == 0x3A, bytes[16] == 0x3A,
            let month = Int(text.dropFirst(5).prefix(2)), (1...12).contains(month)
        else { return nil }
        let (year, day, time) = (text.prefix(4), text.dropFirst(8).prefix(2), text.dropFirst(11).prefix(8))
        // The name of the day is not compared with the date.
        let usual = "Mon, \(day) \(months[month - 1]) \(year) \(time) GMT"
        guard let date = HTTPDate(parsing: usual, now: HTTPDate(secondsSinceEpoch: 0)) else { return nil }
        let zone = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
        return seconds(ofZone: zone).map { date.advanced(by: -$0) }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func seconds(ofZone zone: Substring) -> Int64? {
        if zone == "Z" || zone == "z" { return 0 }
        guard let sign = zone.first, sign == "+" || sign == "-" else { return nil }
        let digits = zone.dropFirst().filter { $0 != ":" }
        guard digits.count == 4, let hours = Int64(digits.prefix(2)), let minutes = Int64(digits.suffix(2))
        else {
            return nil
        }
        return (hours * 3_600 + minutes * 60) * (sign == "-" ? -1 : 1)
    }

    private static func problem(_ node: YAMLNode, _ expected: String) -> YAMLProblems {
        YAMLProblems([Problem(at: node.position, found: node.summary, expected: expected)])
    }
}
