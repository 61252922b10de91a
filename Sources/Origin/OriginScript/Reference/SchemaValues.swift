package import JSON

/// JSON Schemas of values that several tables share; references are to `scenarios/schema.json`.
package enum SchemaValues {
    /// Text.
    package static let text: JSONValue = ["type": "string"]
    /// Text, also where YAML reads it as a number or a truth value.
    package static let scalar: JSONValue = ["type": ["string", "number", "boolean"]]
    /// The definition of a size.
    package static let size = definition("size")
    /// The definition of a duration.
    package static let duration = definition("duration")

    /// `true` or `false`.
    package static let truth: JSONValue = ["type": "boolean"]

    /// Returns a reference to a definition of the schema.
    package static func definition(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }

    /// Returns the schema of one of these words.
    package static func words(_ words: [String]) -> JSONValue { ["enum": JSONValue(words)] }

    /// Returns the schema of a whole number between bounds.
    package static func integer(_ range: ClosedRange<Int>) -> JSONValue {
        ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    }

    /// Returns the schema of values that match one of these schemas.
    package static func either(_ schemas: JSONValue...) -> JSONValue { ["anyOf": .array(schemas)] }

    /// Returns the schema of a list.
    package static func list(of element: JSONValue) -> JSONValue { ["type": "array", "items": element] }

    /// Returns the schema of one value, or of a list with at least one.
    package static func oneOrMore(_ element: JSONValue) -> JSONValue {
        either(element, ["type": "array", "items": element, "minItems": 1])
    }

    /// Returns the schema of a value, or of bounds for it.
    package static func comparison(of value: JSONValue) -> JSONValue {
        either(value, definition("comparison"))
    }

    /// Returns the schema of a map with these keys and no others.
    package static func map(
        _ description: String,
        required: [String] = [],
        _ properties: JSONValue
    ) -> JSONValue {
        let start: JSONValue = [
            "description": .string(description), "type": "object", "additionalProperties": false,
        ]
        let required: JSONValue = required.isEmpty ? [:] : ["required": JSONValue(required)]
        return start.adding(required).adding(["properties": properties])
    }
}
