/// A JSON document, written on one line (RFC 8259).
package enum JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// Members in the order they are written.
    case object([(String, JSONValue)])

    package init(stringLiteral value: String) { self = .string(value) }

    package init(integerLiteral value: Int) { self = .integer(value) }

    package init(_ value: String?) { self = value.map(JSONValue.string) ?? .null }

    package init(_ value: Int?) { self = value.map(JSONValue.integer) ?? .null }

    package init(_ value: Double?) { self = value.map(JSONValue.number) ?? .null }

    package init(_ value: Bool?) { self = value.map(JSONValue.bool) ?? .null }

    package init(_ values: [String]) { self = .array(values.map(JSONValue.string)) }

    /// The document.
    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? decimalText(value) : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let values): Self.write(values, to: &text)
        case .object(let members): Self.write(members, to: &text)
        }
    }

    private func decimalText(_ value: Double) -> String {
        // Six places: microseconds of a time, and no exponent for a reader that has none.
        var text = decimal(value, places: 6)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    private static func write(_ values: [JSONValue], to text: inout String) {
        text += "["
        for (index, value) in values.enumerated() {
            if index > 0 { text += "," }
            value.write(to: &text)
        }
        text += "]"
    }

    private static func write(_ members: [(String, JSONValue)], to text: inout String) {
        text += "{"
        for (index, member) in members.enumerated() {
            if index > 0 { text += "," }
            write(member.0, to: &text)
            text += ":"
            member.1.write(to: &text)
        }
        text += "}"
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _
            where scalar.value < 0x20 || scalar.value == 0x7f || scalar.value == 0x2028
                || scalar.value == 0x2029:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
