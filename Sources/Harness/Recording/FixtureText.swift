import LocatedYAML

/// Texts in YAML.
enum FixtureText {
    /// Returns a scalar for a text.
    static func scalar(_ text: String) -> String {
        if isPlain(text) { return text }
        if text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F && $0.value < 0x80 }) {
            return "'" + text.replacing("'", with: "''") + "'"
        }
        return "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    /// Returns a scalar for a field value, in which `${` begins a variable.
    static func fieldValue(_ text: String) -> String { scalar(text.replacing("${", with: "${dollar}{")) }

    /// Returns a scalar for a path, with wildcards escaped.
    static func path(_ path: String) -> String {
        let isPattern = path.contains { "{}*".contains($0) }
        return isPattern ? "{exact: \(scalar(path))}" : scalar(path)
    }

    /// Whether a text needs no quotes in YAML.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: ".") else {
            return false
        }
        let words = ["true", "false", "null", "yes", "no", "on", "off"]
        guard !words.contains(text.lowercased()) else { return false }
        return text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/-._=+;".utf8.contains(byte)
        }
    }

    private static func escaped(_ scalar: UnicodeScalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _
        where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0xFEFF
            || (0x2028...0x2029).contains(scalar.value):
            "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
                + String(scalar.value, radix: 16)
        default: String(scalar)
        }
    }

    /// Returns an offset in seconds, as `+60s`; `nil` for one that fixtures cannot have, as that of a date in the year 9999.
    static func offset(_ seconds: Int64) -> String? {
        guard seconds.magnitude <= Quantity.longestSeconds.magnitude else { return nil }
        return "\(seconds < 0 ? "-" : "+")\(seconds.magnitude)s"
    }
}
