extension JSONValue {
    /// The value as JSON without blanks; members are sorted by name, so that equal values have equal texts.
    public var compactText: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .integer(let integer): String(integer)
        case .number(let number): Self.text(of: number)
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(\.compactText).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + Self.sorted(members).map { Self.quoted($0.key) + ":" + $0.value.compactText }
                .joined(separator: ",") + "}"
        }
    }

    /// The value as JSON over several lines, two blanks a level, ` : ` after names, members sorted by name.
    public var prettyText: String { prettyText(indented: "") }

    private func prettyText(indented indentation: String) -> String {
        let inner = indentation + "  "
        switch self {
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + $0.prettyText(indented: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + indentation + "]"
        case .object(let members) where !members.isEmpty:
            let lines = Self.sorted(members).map {
                inner + Self.quoted($0.key) + " : " + $0.value.prettyText(indented: inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + indentation + "}"
        default: return compactText
        }
    }

    private static func sorted(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    /// JSON has no infinity; what cannot be written is `null`, as JavaScript has it.
    private static func text(of number: Double) -> String {
        guard number.isFinite else { return "null" }
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
