/// A JSON value to be written, RFC 8259.
public indirect enum JSONValue: Sendable, Hashable {
    /// One member of an object.
    public struct Member: Sendable, Hashable {
        /// Name.
        public var name: String
        /// Value.
        public var value: JSONValue

        /// Creates a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction, written with at most three digits after the point.
    case decimal(Double)
    /// A text.
    case text(String)
    /// A list.
    case array([JSONValue])
    /// Members in the order in which they are written.
    case object([Member])
    /// JSON that is written already.
    case written(String)

    /// The value as JSON without blanks.
    public var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .decimal(let value): Self.decimal(value)
        case .text(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + $0.value.json }.joined(separator: ",") + "}"
        case .written(let json): json
        }
    }

    /// An object's members with some more.
    public func adding(_ more: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(let others) = more else { return self }
        return .object(members + others)
    }

    private static func decimal(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "null" }
        let thousandths = Int((value * 1000).rounded())
        return "\(Double(thousandths) / 1000)"
    }

    /// Returns a text as JSON writes it.
    public static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20: result += "\\u00" + hex(scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func hex(_ value: UInt32) -> String {
        (value < 16 ? "0" : "") + String(value, radix: 16)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// A list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Members in the order in which they are written.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
