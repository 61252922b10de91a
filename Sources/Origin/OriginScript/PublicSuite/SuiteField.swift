package import LocatedYAML
import WireSyntax

/// A field value as the suite writes it: a text, or a number that means a date in some fields.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SuiteValue: Sendable, Hashable {
    /// This text.
    case text(String)
    /// This number; in a date field, seconds from the origin's clock.
    case number(Int)

    /// The value as it is sent where nothing is rewritten.
    public var plainText: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}

/// One field line of the suite: `[name, value]` or `[name, value, false]`.
public struct SuiteField: Sendable, Hashable {
    /// Name as it is spelled.
    public var name: String
    /// Value.
    public var value: SuiteValue
    /// Whether the origin's state has it, so that the client compares it; default true.
    public var isRecorded = true

    /// Creates a field line.
    public init(_ name: String, _ value: SuiteValue, isRecorded: Bool = true) {
        self.name = name
        self.value = value
        self.isRecorded = isRecorded
    }
}

extension Reader where Value == SuiteValue {
    /// A text that a field may carry, or a whole number.
    package static var suiteValue: Reader {
        Reader(expected: "a field value: ISO-8859-1 text or a whole number") { scalar in
            if scalar.isPlain { return Int(scalar.text).map(SuiteValue.number) }
            return isFieldValue(scalar.text) ? .text(scalar.text) : nil
        }
    }

    /// Whether a text is a field value (RFC 9110 §5.5), with the tab, in characters of one byte.
    private static func isFieldValue(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar == "\t" || (0x20...0xFF).contains(scalar.value) && scalar.value != 0x7F
        }
    }
}

extension Reader where Value == String {
    /// A field name in quotation marks, as JSON has it.
    package static var quotedFieldName: Reader {
        Reader(expected: "a field name") { !$0.isPlain && Token.isToken($0.text) ? $0.text : nil }
    }

    /// A text in quotation marks.
    package static var quoted: Reader {
        Reader(expected: "a string") { $0.isPlain ? nil : $0.text }
    }
}

extension Reader where Value == SuiteField {
    /// `[name, value]` or `[name, value, whether it is recorded]`.
    package static var suiteField: Reader {
        Reader { node, problems in
            guard let parts = node.elements, parts.count == 2 || parts.count == 3 else {
                problems.add(node, expected: "[name, value]")
                return nil
            }
            guard let name = Reader<String>.quotedFieldName.read(parts[0], problems),
                let value = Reader<SuiteValue>.suiteValue.read(parts[1], problems)
            else { return nil }
            let isRecorded = parts.count == 3 ? Reader<Bool>.bool.read(parts[2], problems) : true
            return SuiteField(name, value, isRecorded: isRecorded ?? true)
        }
    }
}
