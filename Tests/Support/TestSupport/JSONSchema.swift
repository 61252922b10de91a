package import LocatedYAML

/// Checks JSON values against a schema: the keywords that the schemas of this package use, of JSON Schema 2020-12.
package struct JSONSchema {
    private let root: YAMLNode

    /// Parses the text of a schema.
    package init(_ text: String, file: String) throws {
        root = try YAMLNode.parse(json: text, file: file)
    }

    /// Returns a sentence for each part of a value that the schema does not allow.
    package func problems(in value: YAMLNode) -> [String] { problems(value, root, at: "$") }

    private func problems(_ value: YAMLNode, _ schema: YAMLNode, at place: String) -> [String] {
        if let name = schema.value(of: "$ref")?.scalarText {
            return problems(value, definition(name), at: place)
        }
        if let cases = schema.value(of: "oneOf")?.elements {
            let fitting = cases.filter { problems(value, $0, at: place).isEmpty }.count
            return fitting == 1 ? [] : ["\(place) fits \(fitting) of \(cases.count) cases"]
        }
        var found = type(value, schema).map { ["\(place): \($0)"] } ?? []
        if let constant = schema.value(of: "const")?.scalarText, value.scalarText != constant {
            found.append("\(place) is \(value.summary), not \(constant)")
        }
        if let words = schema.value(of: "enum")?.elements?.map(\.scalarText),
            !words.contains(value.scalarText)
        {
            found.append("\(place) is \(value.summary), which is not allowed")
        }
        return found + members(value, schema, at: place) + items(value, schema, at: place)
    }

    private func definition(_ name: String) -> YAMLNode {
        name.split(separator: "/").dropFirst().reduce(root) { $0.value(of: String($1)) ?? $0 }
    }

    private func members(_ value: YAMLNode, _ schema: YAMLNode, at place: String) -> [String] {
        guard let pairs = value.pairs else { return [] }
        let required = schema.value(of: "required")?.elements?.compactMap(\.scalarText) ?? []
        let names = pairs.map(\.key)
        let missing = required.filter { !names.contains($0) }.map { "\(place) has no \($0)" }
        let known = schema.value(of: "properties")
        let others = schema.value(of: "additionalProperties")
        return missing
            + pairs.flatMap { pair -> [String] in
                let inside = "\(place).\(pair.key)"
                if let own = known?.value(of: pair.key) { return problems(pair.value, own, at: inside) }
                if others?.scalarText == "false" { return ["\(inside) is not in the schema"] }
                return others.map { $0.pairs == nil ? [] : problems(pair.value, $0, at: inside) } ?? []
            }
    }

    private func items(_ value: YAMLNode, _ schema: YAMLNode, at place: String) -> [String] {
        guard let elements = value.elements, let each = schema.value(of: "items") else { return [] }
        return elements.enumerated().flatMap { problems($1, each, at: "\(place)[\($0)]") }
    }

    private func type(_ value: YAMLNode, _ schema: YAMLNode) -> String? {
        guard let type = schema.value(of: "type") else { return nil }
        let allowed = type.elements?.compactMap(\.scalarText) ?? [type.scalarText ?? ""]
        let actual = kind(of: value)
        let fits = allowed.contains(actual) || actual == "integer" && allowed.contains("number")
        return fits ? nil : "found \(actual), expected \(allowed.joined(separator: " or "))"
    }
}

extension JSONSchema {
    private func kind(of value: YAMLNode) -> String {
        guard case .scalar(let scalar) = value.content else {
            return value.elements == nil ? "object" : "array"
        }
        if scalar.isNull { return "null" }
        guard scalar.isPlain else { return "string" }
        if scalar.text == "true" || scalar.text == "false" { return "boolean" }
        return Int(scalar.text) == nil ? "number" : "integer"
    }
}
