import JSON

/// Checks values by a JSON Schema, as far as the schemas of reports go.
struct SchemaCheck {
    private let root: JSONValue

    init(_ schema: JSONValue) { root = schema }

    /// Returns the problems of a value; empty if it is valid.
    func problems(of value: JSONValue) -> [String] {
        repeated(root, "schema") + problems(value, root, "report")
    }

    /// Names that a part of the schema has twice: the last one would replace the others.
    private func repeated(_ value: JSONValue, _ place: String) -> [String] {
        switch value {
        case .array(let elements): elements.flatMap { repeated($0, place + "[]") }
        case .object(let object):
            Dictionary(grouping: object.members, by: \.name).filter { $0.value.count > 1 }.keys.map {
                "\(place): \($0) is there twice"
            } + object.members.flatMap { repeated($0.value, "\(place).\($0.name)") }
        default: []
        }
    }

    private func problems(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        if let name = schema["$ref"]?.text?.split(separator: "/").last {
            guard let definition = root["$defs"]?[String(name)] else {
                return ["\(place): no definition \(name)"]
            }
            return problems(value, definition, place)
        }
        var found: [String] = []
        if let constant = schema["const"], constant != value { found.append("\(place): not \(constant)") }
        if case .array(let choices)? = schema["enum"], !choices.contains(value) {
            found.append("\(place): none of the choices")
        }
        let types = schema["type"].map { type in
            if case .array(let names) = type { names.compactMap(\.text) } else { [type.text ?? ""] }
        }
        if let types, !types.contains(where: { Self.has(value, $0) }) {
            found.append("\(place): no \(types.joined(separator: " or "))")
        }
        if let least = schema["minimum"]?.integer, let number = value.integer, number < least {
            found.append("\(place): less than \(least)")
        }
        switch value {
        case .array(let elements):
            guard let items = schema["items"] else { return found }
            return found + elements.flatMap { problems($0, items, place + "[]") }
        case .object(let object): return found + problems(of: object, schema, place)
        default: return found
        }
    }

    private func problems(of object: JSONObject, _ schema: JSONValue, _ place: String) -> [String] {
        var found: [String] = []
        if case .array(let required)? = schema["required"] {
            for name in required.compactMap(\.text) where object[name] == nil {
                found.append("\(place): lacks \(name)")
            }
        }
        for member in object.members {
            if let described = schema["properties"]?[member.name] {
                found += problems(member.value, described, "\(place).\(member.name)")
            } else if schema["additionalProperties"] == false {
                found.append("\(place): \(member.name) is not described")
            }
        }
        return found
    }

    private static func has(_ value: JSONValue, _ type: String) -> Bool {
        switch value {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .number: type == "number" || type == "integer" && value.integer != nil
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }
}
