/// The layout of a JSON text.
public struct JSONLayout: Sendable, Hashable {
    /// The indentation of each level; `nil` for one line without spaces.
    public var indentation: String?
    /// The separator between a name and its value.
    public var colon: String
    /// Whether members are sorted by name, so that equal values have equal texts.
    ///
    /// Of members with one name only the last is written then.
    public var sortsMembers: Bool

    /// Creates a layout.
    public init(indentation: String? = nil, colon: String = ":", sortsMembers: Bool = false) {
        self.indentation = indentation
        self.colon = colon
        self.sortsMembers = sortsMembers
    }

    /// One line without spaces, members in order.
    public static let compact = JSONLayout()
    /// Two spaces a level, members in order.
    public static let indented = JSONLayout(indentation: "  ", colon: ": ")
    /// One line without spaces, members sorted.
    public static let sorted = JSONLayout(sortsMembers: true)
}

extension JSONValue {
    /// Returns the value as JSON, without a final line feed.
    public func written(_ layout: JSONLayout = .compact) -> String {
        var text = ""
        write(to: &text, layout)
        return text
    }

    /// Writes the value as JSON to `output`, piece by piece.
    public func write(to output: inout some TextOutputStream, _ layout: JSONLayout = .compact) {
        write(to: &output, layout, depth: 0)
    }

    private func write(to output: inout some TextOutputStream, _ layout: JSONLayout, depth: Int) {
        switch self {
        case .null: output.write("null")
        case .bool(let bool): output.write(bool ? "true" : "false")
        case .number(let number): output.write(number.text)
        case .string(let text): output.write(Self.quoted(text))
        case .array(let elements):
            guard !elements.isEmpty else { return output.write("[]") }
            for (index, element) in elements.enumerated() {
                layout.begin(index == 0 ? "[" : ",", depth: depth + 1, &output)
                element.write(to: &output, layout, depth: depth + 1)
            }
            layout.end("]", depth: depth, &output)
        case .object(let object):
            guard !object.members.isEmpty else { return output.write("{}") }
            let members = layout.sortsMembers ? object.sortedMembers : object.members
            for (index, member) in members.enumerated() {
                layout.begin(index == 0 ? "{" : ",", depth: depth + 1, &output)
                output.write(Self.quoted(member.name))
                output.write(layout.colon)
                member.value.write(to: &output, layout, depth: depth + 1)
            }
            layout.end("}", depth: depth, &output)
        }
    }

    /// Returns a text in quotation marks.
    ///
    /// Escapes more than RFC 8259 §7 requires: characters that end lines or are invisible where JSON is embedded.
    public static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0"..<" ", "\u{7F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension JSONLayout {
    fileprivate func begin(_ mark: String, depth: Int, _ output: inout some TextOutputStream) {
        output.write(mark)
        breakLine(depth: depth, &output)
    }

    fileprivate func end(_ mark: String, depth: Int, _ output: inout some TextOutputStream) {
        breakLine(depth: depth, &output)
        output.write(mark)
    }

    private func breakLine(depth: Int, _ output: inout some TextOutputStream) {
        guard let indentation else { return }
        output.write("\n")
        for _ in 0..<depth { output.write(indentation) }
    }
}
