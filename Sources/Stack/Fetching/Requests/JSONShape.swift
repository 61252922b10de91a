public import JSON

/// The expected shape of a JSON value.
public indirect enum JSONShape: Sendable, Hashable {
    /// Any value.
    case anything
    /// A string.
    case string
    /// A number without a fraction.
    case integer
    /// Any number.
    case number
    /// `true` or `false`.
    case bool
    /// An array whose elements all have a shape.
    case array(of: JSONShape)
    /// An object with at least these members.
    case object([String: JSONShape])
    /// `null`, a missing value, or a value of a shape.
    case optional(JSONShape)

    /// Returns the first mismatch and its path; `nil` if the value matches.
    public func problem(with value: JSONValue) -> String? { problem(with: value, at: "$") }

    private func problem(with value: JSONValue?, at path: String) -> String? {
        switch (self, value) {
        case (.anything, _), (.optional, nil), (.optional, .null), (.string, .string), (.number, .number),
            (.bool, .bool):
            return nil
        case (.integer, .number(let number)) where number.integer != nil: return nil
        case (.optional(let shape), _): return shape.problem(with: value, at: path)
        case (_, nil): return "\(path) is missing"
        case (.array(let shape), .array(let elements)):
            return elements.enumerated().lazy.compactMap { shape.problem(with: $1, at: "\(path)[\($0)]") }
                .first
        case (.object(let shapes), .object(let object)):
            return shapes.sorted { $0.key < $1.key }.lazy
                .compactMap { $0.value.problem(with: object[$0.key], at: path + "." + $0.key) }.first
        default: return "\(path) is not \(name)"
        }
    }

    private var name: String {
        switch self {
        case .anything: "anything"
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .bool: "true or false"
        case .array: "an array"
        case .object: "an object"
        case .optional(let shape): shape.name
        }
    }
}
