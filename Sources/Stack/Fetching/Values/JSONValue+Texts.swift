public import JSON

extension JSONValue {
    /// The value as JSON without blanks; members are sorted by name, so that equal values have equal texts.
    public var compactText: String { written(.sorted) }

    /// The value as JSON over several lines, two blanks a level, ` : ` after names, members sorted by name.
    public var prettyText: String {
        written(JSONLayout(indentation: "  ", colon: " : ", sortsMembers: true))
    }

    /// How a query or a form has it: a string as it is, a number or truth value as JSON writes it, `null` as nothing.
    public var plainText: String {
        switch self {
        case .string(let text): text
        case .null: ""
        default: compactText
        }
    }
}
