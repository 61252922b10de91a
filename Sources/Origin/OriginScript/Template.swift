/// A text in which values of the request and of the current time stand as `${…}`.
public struct Template: Sendable, Hashable {
    /// A piece of a template.
    public enum Piece: Sendable, Hashable {
        /// Text as it stands.
        case text(String)
        /// A placeholder for a value.
        case variable(TemplateVariable)
    }
    /// The pieces in order.
    public let pieces: [Piece]
    /// The text as it was written.
    public let source: String

    /// Whether a variable may stand in a text: most have none, and are not searched.
    public static func isWorthReading(_ text: String) -> Bool { text.utf8.contains(0x24) }

    /// Reads a template; `nil` if `${` begins no known variable.
    public init?(_ text: String) {
        let parts = text.split(separator: "${", omittingEmptySubsequences: false)
        var pieces = Self.text(parts.first ?? "")
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: "}"), let variable = TemplateVariable(part[..<end]) else {
                return nil
            }
            pieces.append(.variable(variable))
            pieces += Self.text(part[part.index(after: end)...])
        }
        self.pieces = pieces
        source = text
    }

    private static func text(_ text: Substring) -> [Piece] { text.isEmpty ? [] : [.text(String(text))] }

    /// Returns the text with every variable replaced by the text that `value` returns.
    public func text(_ value: (TemplateVariable) -> String) -> String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let part): text += part
            case .variable(let variable): text += value(variable)
            }
        }
    }

    /// Whether the text differs from revision to revision.
    public var hasRevision: Bool { pieces.contains(.variable(.revision)) }
}

/// A value that a template names.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum TemplateVariable: Sendable, Hashable {
    /// `base`: the absolute path below which the script answers.
    case base
    /// `other`: the script's URL under its second host name.
    case other
    /// `now`: the present as an IMF-fixdate.
    case now
    /// `unix`: the present in seconds since 1970.
    case unix
    /// `method`: the request's method.
    case method
    /// `path`: the request's path as it was sent.
    case path
    /// `query`: the request's query as it was sent, empty if there is none.
    case query
    /// `body`: the request's content as text.
    case body
    /// `dollar`: the sign with which a variable begins.
    case dollar
    /// `count`: which request to the route this is, from 1.
    case count
    /// `revision`: how often the content has changed by its schedule, from 0.
    case revision
    /// `path.NAME`: a parameter of the path pattern, decoded.
    case parameter(String)
    /// `query.NAME`: a parameter of the query, decoded.
    case queryValue(String)
    /// `field.NAME`: a request field, its lines joined.
    case field(String)
    /// `form.NAME`: a value of a form in the content.
    case formValue(String)
    /// `json.PATH`: the first such value of JSON content, the path without its `$.`.
    case json(JSONPath)

    private static let plain: [String: TemplateVariable] = [
        "base": .base, "other": .other, "now": .now, "unix": .unix, "method": .method, "path": .path,
        "query": .query, "body": .body, "dollar": .dollar, "count": .count, "revision": .revision,
    ]

    /// Reads what stands between `${` and `}`.
    init?(_ text: Substring) {
        if let variable = Self.plain[String(text)] {
            self = variable
            return
        }
        guard let dot = text.firstIndex(of: "."), dot != text.index(before: text.endIndex) else { return nil }
        let name = String(text[text.index(after: dot)...])
        switch text[..<dot] {
        case "path": self = .parameter(name)
        case "query": self = .queryValue(name)
        case "field": self = .field(name)
        case "form": self = .formValue(name)
        case "json":
            guard let path = JSONPath("$." + name) else { return nil }
            self = .json(path)
        default: return nil
        }
    }
}
