import LocatedYAML
package import OriginScript

/// The value of a parameter, similar to a JSON value.
package indirect enum ParameterValue: Sendable, Hashable {
    /// A null value.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A text.
    case text(String)
    /// A list.
    case list([ParameterValue])
    /// A map.
    case map([String: ParameterValue])
    /// A value from the JSON of the named request's response.
    case result(of: String, at: JSONPath)

    /// The names of the requests from whose responses it is taken.
    package var sources: [String] {
        switch self {
        case .null, .bool, .integer, .number, .text: []
        case .list(let values): values.flatMap(\.sources)
        case .map(let values): values.values.flatMap(\.sources)
        case .result(let name, _): [name]
        }
    }
}

extension ParameterValue {
    /// Reads parameters without references to responses.
    static var constants: Reader<[String: ParameterValue]> {
        Reader { node, problems in
            guard let parameters = parameters.read(node, problems) else { return nil }
            guard let name = parameters.values.flatMap(\.sources).first else { return parameters }
            problems.add(
                at: node.position,
                found: "a value from the response to \"\(name)\"",
                expected: "constant values"
            )
            return nil
        }
    }

    /// Reads a map of parameters.
    static var parameters: Reader<[String: ParameterValue]> {
        Reader { node, problems in
            guard let pairs = node.pairs else {
                problems.add(node, expected: "a map of parameters")
                return nil
            }
            var values: [String: ParameterValue] = [:]
            for pair in pairs { values[pair.key] = reader.read(pair.value, problems) }
            return values
        }
    }

    private static var reader: Reader<ParameterValue> {
        Reader { node, problems in
            switch node.content {
            case .scalar(let scalar): return value(of: scalar)
            case .sequence(let nodes): return .list(nodes.compactMap { Self.reader.read($0, problems) })
            case .mapping(let pairs):
                if pairs.contains(where: { $0.key == ReferenceKey.from.rawValue }) {
                    return reference.read(node, problems)
                }
                return parameters.read(node, problems).map { .map($0) }
            }
        }
    }

    private static func value(of scalar: YAMLScalar) -> ParameterValue {
        if scalar.isNull { return .null }
        guard scalar.isPlain else { return .text(scalar.text) }
        switch scalar.text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case let text:
            if let integer = Int(text) { return .integer(integer) }
            let isDecimal = text.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 || $0 == 46 }
            return isDecimal ? Double(text).map { .number($0) } ?? .text(text) : .text(text)
        }
    }

    private static var reference: Reader<ParameterValue> {
        Reader { node, problems in
            guard let map = MapReader<ReferenceKey>(node, problems) else { return nil }
            let path = Reader<JSONPath>(expected: "a path such as $.user.id") { JSONPath($0.text) }
            let name = map.required(.from, .text)
            let place = map.required(.at, path)
            guard let name, let place else { return nil }
            return .result(of: name, at: place)
        }
    }
}
