import FaultProxy
import HTTPServing
import TextCodings

/// The conditions on requests, other than the path, for a recorded response.
struct FixtureConditions: Equatable {
    let method: String
    /// The query as sent; `nil` if there is none.
    let query: String?
    /// The relevant fields of the request, by names in lower case; `nil` for absent ones.
    let fields: [String: String?]
    /// The authority of the request; `nil` if there is only one.
    let host: String?
    /// The content of the request; `nil` if there is none, or if it is not a short text.
    let content: String?
    /// All fields of the request, as `fields` would have them.
    private let sent: [String: String]

    /// Creates the conditions of a redacted exchange; `original` is not redacted.
    init(_ exchange: CapturedExchange, _ original: CapturedExchange, isOfAnyHost: Bool) {
        method = exchange.method
        query = exchange.query
        var fields: [String: String?] = [:]
        for name in FieldNameSets.conditions {
            if let value = exchange.requestFields.combined(name) { fields[name.lowercased()] = value }
        }
        var sent: [String: String] = [:]
        for name in Set(exchange.requestFields.map { $0.name.lowercased() }) {
            let value = exchange.requestFields.combined(name)
            let isSecret = value != original.requestFields.combined(name)
            sent[name] = isSecret ? Self.present : value
        }
        for name in Self.selecting(exchange) { fields[name] = .some(sent[name]) }
        self.sent = sent
        self.fields = fields
        host = isOfAnyHost ? original.requestFields.combined(FieldName.host) : nil
        content = Self.content(exchange, original)
    }

    static func == (one: Self, other: Self) -> Bool {
        one.isOfSameTarget(as: other) && one.fields == other.fields
    }

    private func isOfSameTarget(as other: Self) -> Bool {
        method == other.method && query == other.query && host == other.host && content == other.content
    }

    /// Whether the request of these conditions also satisfies `other`, which differ only in that they have more fields.
    ///
    /// Of equal requests, one may have a response with Vary, and another, such as an error, one without.
    func alsoSatisfies(_ other: Self) -> Bool {
        isOfSameTarget(as: other) && fields.count < other.fields.count
            && fields.allSatisfy { other.fields[$0.key] == .some($0.value) }
            && other.fields.allSatisfy { sent[$0.key] == $0.value }
    }

    /// Returns the names that `Vary` lists (RFC 9110 §12.5.5).
    private static func selecting(_ exchange: CapturedExchange) -> [String] {
        let names = (exchange.response.fields.combined(FieldName.vary) ?? "").split(separator: ",")
        return names.map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { !$0.isEmpty && $0 != "*" && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
    }

    /// Returns the content that later requests must have; `nil` if it was redacted, since it would not match, or is not a
    /// short text.
    private static func content(_ exchange: CapturedExchange, _ original: CapturedExchange) -> String? {
        guard !exchange.requestBody.isEmpty, exchange.requestBody == original.requestBody,
            exchange.requestBody.count <= 4096,
            let text = String(validating: exchange.requestBody, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\n" || $0 == "\t" })
        else { return nil }
        return text
    }

    /// Replaces a secret value: matches any value.
    private static let present = "\u{0}present"

    /// Returns the keys of the route, one per line; `others` are the conditions of the same path.
    func lines(beside others: [FixtureConditions]) -> [String] {
        var lines = [methodLine(others)]
        lines += queryLines(others)
        lines += fieldLines
        let rivals = others.filter {
            $0.method == method && $0.query == query && $0.fields == fields && $0.host == host
        }
        if let content, rivals.contains(where: { $0.content != content }) {
            lines.append("body: \(FixtureText.scalar(content))")
        }
        return lines
    }

    private func methodLine(_ others: [FixtureConditions]) -> String {
        let answersHead = method == "GET" && !others.contains { $0.method == "HEAD" }
        return answersHead ? "method: [GET, HEAD]" : "method: \(FixtureText.scalar(method))"
    }

    private var fieldLines: [String] {
        var known = fields
        if let host { known["host"] = host }
        guard !known.isEmpty else { return [] }
        return ["fields:"]
            + known.sorted { $0.key < $1.key }.map { name, value in
                "  \(FixtureText.scalar(Self.written(name))): \(Self.match(value))"
            }
    }

    private func queryLines(_ others: [FixtureConditions]) -> [String] {
        guard let query, !query.isEmpty else {
            // RFC 3986 §6.2.3: an empty query differs from none.
            if query == nil, others.contains(where: { $0.query == "" }) { return ["query: absent"] }
            return others.contains { $0.query ?? "" != "" } ? ["query: ''"] : []
        }
        // Without quotes, this word means that there is no query.
        if query == "absent" { return ["query: 'absent'"] }
        // A secret parameter can be matched only by its presence.
        guard query.contains("=" + Redaction.mark) || !Self.isExact(query) else {
            return ["query: \(FixtureText.scalar(query))"]
        }
        var names: Set<String> = []
        let parameters = query.split(separator: "&").map { ($0.prefix { $0 != "=" }, $0) }
        return ["query:"]
            + parameters.filter { names.insert(PercentText.text(String($0.0), plusIsSpace: true)).inserted }
            .map { Self.parameterLine(String($0.0), $0.1) }
    }

    /// Whether a route can match the query as it is sent; others are matched by their parameters.
    private static func isExact(_ query: String) -> Bool {
        !query.hasPrefix("?") && query.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }
    }

    private static func parameterLine(_ name: String, _ pair: Substring) -> String {
        let value = String(pair.dropFirst(name.count + 1))
        let match =
            value == Redaction.mark
            ? "present" : FixtureText.scalar(PercentText.text(value, plusIsSpace: true))
        return "  \(FixtureText.scalar(PercentText.text(name, plusIsSpace: true))): \(match)"
    }

    private static func match(_ value: String?) -> String {
        guard let value else { return "absent" }
        if value == present { return "present" }
        // These words have a special meaning as values.
        return ["present", "absent"].contains(value) ? "'\(value)'" : FixtureText.scalar(value)
    }

    private static func written(_ name: String) -> String {
        name.split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }

    /// More specific conditions come first; those of an empty query hold without a query, too.
    var weight: Int {
        let ofQuery = query.map { $0.isEmpty ? 0 : 200 } ?? 100
        return fields.count + ofQuery + (content == nil ? 0 : 1)
    }
}
