/// A JSON value (RFC 8259).
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with its text.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// Returns a whole number.
    public static func integer(_ integer: some BinaryInteger) -> JSONValue { .number(JSONNumber(integer)) }

    /// Returns a number with its shortest unique text; `null` for infinity and NaN, as in JavaScript.
    public static func number(_ number: Double) -> JSONValue {
        JSONNumber(number).map(JSONValue.number) ?? .null
    }

    /// Returns a number with at most `places` digits after the point and no exponent; `null` for infinity and NaN.
    public static func decimal(_ number: Double, places: Int) -> JSONValue {
        JSONNumber(number, places: places).map(JSONValue.number) ?? .null
    }

    /// Returns an object with members in this order.
    public static func object(_ members: [(String, JSONValue)]) -> JSONValue { .object(JSONObject(members)) }

    /// Creates a string, or `null` for `nil`.
    public init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }

    /// Creates a whole number, or `null` for `nil`.
    public init(_ integer: (some BinaryInteger)?) { self = integer.map { .integer($0) } ?? .null }

    /// Creates a Boolean, or `null` for `nil`.
    public init(_ bool: Bool?) { self = bool.map(JSONValue.bool) ?? .null }

    /// Creates an array of strings.
    public init(_ texts: [String]) { self = .array(texts.map(JSONValue.string)) }

    /// The value of a member of an object; `nil` if there is none.
    public subscript(name: String) -> JSONValue? {
        if case .object(let object) = self { object[name] } else { nil }
    }

    /// An element of an array; `nil` if there is none.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The text of a string; `nil` for anything else.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// A number without fraction or exponent that fits an `Int`; `nil` for anything else.
    public var integer: Int? { if case .number(let number) = self { number.integer } else { nil } }

    /// The value of a number; `nil` for anything else.
    public var double: Double? { if case .number(let number) = self { number.double } else { nil } }

    /// Returns an object with the members of another appended; the value itself if either is not an object.
    public func adding(_ more: JSONValue) -> JSONValue {
        guard case .object(let object) = self, case .object(let others) = more else { return self }
        return .object(JSONObject(object.members + others.members))
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByNilLiteral
{
    /// Creates a string.
    public init(stringLiteral text: String) { self = .string(text) }
    /// Creates a whole number.
    public init(integerLiteral integer: Int) { self = .integer(integer) }
    /// Creates a number.
    public init(floatLiteral number: Double) { self = .number(number) }
    /// Creates a Boolean.
    public init(booleanLiteral bool: Bool) { self = .bool(bool) }
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object with members in this order.
    public init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(members) }
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
}
