public import JSON

extension JSONValue {
    /// The value as JSON without white space; members are sorted by name, so that equal values have equal
    /// texts.
    public var compactText: String { written(.sorted) }

    /// The value as JSON over several lines: two spaces per level, ` : ` after names, members sorted by name.
    public var prettyText: String {
        written(JSONLayout(indentation: "  ", colon: " : ", sortsMembers: true))
    }

    /// The value in a query or a form: a string unchanged, a number or Boolean as in JSON, `null` as the
    /// empty string.
    public var plainText: String {
        switch self {
        case .string(let text): text
        case .null: ""
        default: compactText
        }
    }
}
