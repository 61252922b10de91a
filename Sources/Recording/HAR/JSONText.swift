/// A JSON document, written with an indentation of two (RFC 8259).
indirect enum JSONText {
    case null
    case number(Double)
    case string(String)
    case array([JSONText])
    /// Members in the order they are written.
    case object([(String, JSONText)])

    /// The document.
    var text: String {
        var text = ""
        write(to: &text, indent: "\n")
        return text + "\n"
    }

    private func write(to text: inout String, indent: String) {
        switch self {
        case .null: text += "null"
        case .number(let value): text += Self.number(value)
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            Self.write(values, "[", "]", to: &text, indent) { $0.write(to: &$1, indent: $2) }
        case .object(let members):
            Self.write(members, "{", "}", to: &text, indent) { member, text, indent in
                Self.write(member.0, to: &text)
                text += ": "
                member.1.write(to: &text, indent: indent)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element],
        _ open: String,
        _ close: String,
        to text: inout String,
        _ indent: String,
        _ one: (Element, inout String, String) -> Void
    ) {
        guard !elements.isEmpty else { return text += open + close }
        text += open
        for (index, element) in elements.enumerated() {
            text += (index == 0 ? "" : ",") + indent + "  "
            one(element, &text, indent + "  ")
        }
        text += indent + close
    }

    /// Three places: microseconds of a time in milliseconds.
    private static func number(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "-1" }
        let thousandths = Int64((value * 1000).rounded())
        let whole = thousandths.magnitude / 1000
        let rest = thousandths.magnitude % 1000
        let sign = thousandths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        let digits = String(rest)
        return "\(sign)\(whole)." + String(repeating: "0", count: 3 - digits.count) + digits
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
            case _ where scalar.value < 0x20:
                text += "\\u" + (scalar.value < 16 ? "000" : "00") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
