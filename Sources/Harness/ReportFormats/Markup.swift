/// Escaped text for XML 1.0, HTML and Markdown.
package enum Markup {
    /// Returns text for between tags.
    package static func text(_ text: String) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: nil
            }
        }
    }

    /// Returns text for an attribute in double quotes, where line ends would be read as spaces.
    package static func attribute(_ text: String) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\n", "\r", "\t": "&#\(scalar.value);"
            default: nil
            }
        }
    }

    /// Returns text for a cell of a table in Markdown.
    package static func cell(_ text: String) -> String { Self.text(text).replacing("|", with: "\\|") }

    /// Returns a cell's text in which an asterisk, such as that of `Vary: *`, does not begin emphasis.
    package static func prose(_ text: String) -> String { cell(text).replacing("*", with: "\\*") }

    private static func escaped(_ text: String, _ entity: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if let entity = entity(scalar) {
                result += entity
            } else if isAllowed(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\u{FFFD}"
            }
        }
        return result
    }

    /// Whether XML 1.0 §2.2 allows a character: most control characters cannot occur at all, not even escaped.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD: true
        case 0x0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
