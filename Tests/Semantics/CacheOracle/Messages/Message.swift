/// The header section of a message: field lines in order, names in lower case (RFC 9110 §6.3).
public struct FieldSection: Equatable, Sendable {
    /// One field line.
    public struct Line: Equatable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String
    }

    /// The field lines, in order.
    public var lines: [Line]

    /// Creates it.
    public init(_ pairs: [(String, String)] = []) {
        lines = pairs.map { Line(name: $0.0.lowercased(), value: $0.1) }
    }

    /// The combined value of a field, `nil` if the field is absent (RFC 9110 §5.2).
    public subscript(name: String) -> String? {
        get {
            var combined: String?
            for line in lines where line.name == name {
                combined = combined.map { $0 + ", " + line.value } ?? line.value
            }
            return combined
        }
        set {
            lines.removeAll { $0.name == name }
            if let newValue { lines.append(Line(name: name, value: newValue)) }
        }
    }

    /// The names of the fields, each once, in order.
    public var names: [String] {
        var seen: [String] = []
        for line in lines where !seen.contains(line.name) { seen.append(line.name) }
        return seen
    }
}

/// A request as a client of the cache, or the cache itself, sends it.
public struct OracleRequest: Equatable, Sendable {
    /// The method.
    public var method: String
    /// The absolute target URI, in one spelling per resource.
    public var target: String
    /// The header fields.
    public var fields: FieldSection
    /// Whether it has content.
    public var hasContent: Bool

    /// Creates it.
    public init(method: String, target: String, fields: FieldSection, hasContent: Bool = false) {
        self.method = method
        self.target = target
        self.fields = fields
        self.hasContent = hasContent
    }

    var directives: Directives { Directives(fields["cache-control"]) }

    /// Whether the method is safe; every unknown method counts as unsafe (RFC 9110 §9.2.1, RFC 9111 §4.4).
    ///
    /// REPORT, PROPFIND and SEARCH are registered as safe.
    var isSafe: Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "REPORT", "PROPFIND", "SEARCH"].contains(method)
    }

    /// Whether the request has a condition that a cache or an origin server evaluates to a 304
    /// (RFC 9110 §13.1.2, §13.1.3).
    var isConditional: Bool { fields["if-none-match"] != nil || fields["if-modified-since"] != nil }

    /// Whether it has any precondition (RFC 9110 §13.1).
    var hasPrecondition: Bool { isConditional || fields["if-match"] != nil }
}

/// A response as the origin sends it or as the cache delivers it.
public struct OracleResponse: Equatable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var fields: FieldSection
    /// The content.
    public var content: [UInt8]

    /// Creates it.
    public init(status: Int, fields: FieldSection, content: [UInt8]) {
        self.status = status
        self.fields = fields
        self.content = content
    }

    /// Whether stale-if-error treats the response as an error (RFC 5861 §4).
    var isError: Bool { [500, 502, 503, 504].contains(status) }
}

/// An entity tag (RFC 9110 §8.8.3).
struct EntityTag: Equatable {
    var isWeak: Bool
    var opaque: String

    init?(_ text: String?) {
        guard let text else { return nil }
        var rest = Substring(text)
        isWeak = rest.hasPrefix("W/")
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.count >= 2, rest.hasPrefix("\""), rest.hasSuffix("\"") else { return nil }
        opaque = String(rest)
    }

    /// Whether the tags match by strong comparison (RFC 9110 §8.8.3.2).
    func strongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// Whether the tags match by weak comparison (RFC 9110 §8.8.3.2).
    func weakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Returns the members of an If-None-Match field (RFC 9110 §13.1.2); no generated tag contains a comma.
    static func list(_ value: String?) -> [EntityTag] {
        (value ?? "").split(separator: ",").compactMap { EntityTag(trimmed($0)) }
    }
}

/// Removes optional whitespace around a value (RFC 9110 §5.6.3).
func trimmed(_ text: some StringProtocol) -> String {
    var rest = Substring(text)
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return String(rest)
}
