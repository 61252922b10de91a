/// A JSON value (RFC 8259), and what a parameter of a request can be.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction or exponent that an `Int` holds.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; of members with one name the last counts.
    case object([String: JSONValue])

    /// The member of an object; `nil` where there is none.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The element of an array; `nil` where there is none.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The text of a string; `nil` for anything else.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The number of an integer; `nil` for anything else.
    public var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }

    /// How a query or a form has it: a string as it is, a number or truth value as JSON writes it, `null` as nothing.
    public var plainText: String {
        switch self {
        case .string(let text): text
        case .null: ""
        default: compactText
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByNilLiteral
{
    /// Creates a string.
    public init(stringLiteral text: String) { self = .string(text) }
    /// Creates an integer.
    public init(integerLiteral integer: Int) { self = .integer(integer) }
    /// Creates a number.
    public init(floatLiteral number: Double) { self = .number(number) }
    /// Creates a truth value.
    public init(booleanLiteral bool: Bool) { self = .bool(bool) }
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object; of members with one name the last counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
}
