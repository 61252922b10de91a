import LocatedYAML

/// What the origin recorded of one request of a test.
public struct StateEntry: Sendable, Hashable {
    /// One field of the answer.
    public struct AnswerField: Sendable, Hashable {
        /// Name as the test spells it.
        public var name: String
        /// Value of the line, or of each line.
        public var values: [SuiteValue]

        /// Creates a field.
        public init(_ name: String, _ values: [SuiteValue]) {
            self.name = name
            self.values = values
        }
    }
    /// The number that the request carried; `nil` where it carried none.
    public var requestNumber: Int?
    /// Method.
    public var method: String
    /// Field values by name in lower case, in the order of arrival; repeated lines are joined.
    public var requestFields: [(name: String, value: String)] {
        get { fields.map { ($0.name, $0.value.plainText) } }
        set { fields = newValue.map { SuiteField($0.name, .text($0.value)) } }
    }
    /// Fields of the answer that are compared with what the client received.
    public var answerFields: [AnswerField]
    private var fields: [SuiteField] = []

    /// Creates an entry.
    public init(
        requestNumber: Int?,
        method: String,
        requestFields: [(name: String, value: String)],
        answerFields: [AnswerField]
    ) {
        self.requestNumber = requestNumber
        self.method = method
        self.answerFields = answerFields
        self.requestFields = requestFields
    }

    /// Returns the value of a request field, whatever the case of its name; `nil` where there was none.
    public func requestField(_ name: String) -> String? {
        let name = name.asciiLowercased
        return fields.first { $0.name == name }?.value.plainText
    }
}

extension [StateEntry] {
    /// The entries as the origin tells them: a JSON list.
    public var json: String { "[" + map(\.json).joined(separator: ",") + "]" }
}

extension StateEntry {
    fileprivate var json: String {
        let request = fields.map { "\(JSONText.quoted($0.name)):\(JSONText.quoted($0.value.plainText))" }
        let answer = answerFields.map { field in
            let values = field.values.map(Self.json)
            let value = values.count == 1 ? values[0] : "[" + values.joined(separator: ",") + "]"
            return "[\(JSONText.quoted(field.name)),\(value)]"
        }
        return "{\"request_num\":\(requestNumber.map { String($0) } ?? "null")"
            + ",\"request_method\":\(JSONText.quoted(method))"
            + ",\"request_headers\":{\(request.joined(separator: ","))}"
            + ",\"response_headers\":[\(answer.joined(separator: ","))]}"
    }

    private static func json(_ value: SuiteValue) -> String {
        switch value {
        case .text(let text): JSONText.quoted(text)
        case .number(let number): String(number)
        }
    }
}

/// Texts as JSON writes them.
public enum JSONText {
    /// Returns a text in quotation marks, RFC 8259 §7.
    public static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
