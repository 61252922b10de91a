package import JSON

/// JSON Schemas of values that several tables share; references are to `scenarios/schema.json`.
package enum SchemaValues {
    /// Text.
    package static let text: JSONValue = ["type": "string"]
    /// Text, also where YAML reads it as a number or a truth value.
    package static let scalar: JSONValue = ["type": ["string", "number", "boolean"]]
    /// A size.
    package static let size = definition("size")
    /// A duration.
    package static let duration = definition("duration")

    /// Returns a reference to a definition of the schema.
    package static func definition(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }

    /// Returns the schema of one of these words.
    package static func words(_ words: [String]) -> JSONValue { ["enum": JSONValue(words)] }

    /// Returns the schema of a whole number between bounds.
    package static func integer(_ range: ClosedRange<Int>) -> JSONValue {
        [
            "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
        ]
    }
}
