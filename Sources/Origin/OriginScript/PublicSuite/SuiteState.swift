import JSON
import LocatedYAML

/// The origin's record of one request of a test.
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
    /// The number that the request carried; `nil` if it carried none.
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

    /// Returns the value of a request field, ignoring the case of its name; `nil` if there was none.
    public func requestField(_ name: String) -> String? {
        let name = name.asciiLowercased
        return fields.first { $0.name == name }?.value.plainText
    }
}

extension [StateEntry] {
    /// The entries as a JSON list.
    public var json: String { JSONValue.array(map(\.value)).written() }
}

extension StateEntry {
    fileprivate var value: JSONValue {
        [
            "request_num": JSONValue(requestNumber), "request_method": .string(method),
            "request_headers": .object(fields.map { ($0.name, .string($0.value.plainText)) }),
            "response_headers": .array(answerFields.map(Self.value)),
        ]
    }

    private static func value(_ field: AnswerField) -> JSONValue {
        let values = field.values.map(value)
        return [.string(field.name), values.count == 1 ? values[0] : .array(values)]
    }

    private static func value(_ value: SuiteValue) -> JSONValue {
        switch value {
        case .text(let text): .string(text)
        case .number(let number): .integer(number)
        }
    }
}
