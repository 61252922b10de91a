public import LocatedYAML

extension JSONValue {
    /// Creates the JSON of what was read from a file.
    public init(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar): self = Self.scalar(scalar)
        case .sequence(let nodes): self = .array(nodes.map { JSONValue($0) })
        case .mapping(let pairs):
            self = .object(pairs.map { Member(name: $0.key, value: JSONValue($0.value)) })
        }
    }

    private static func scalar(_ scalar: YAMLScalar) -> JSONValue {
        if scalar.isNull { return .null }
        guard scalar.isPlain else { return .text(scalar.text) }
        switch scalar.text {
        case "true": return true
        case "false": return false
        default:
            // `007` and `1_000` are numbers in no JSON.
            guard let number = Int(scalar.text), "\(number)" == scalar.text else { return .text(scalar.text) }
            return .integer(number)
        }
    }
}
