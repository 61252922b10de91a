package import JSON

/// The values that a name of the script language takes.
package struct ValueForm: Sendable {
    /// In words, as error messages put it after "expected"; `nil` if there is no value.
    package var words: String?
    /// Their JSON Schema, without a description.
    package var schema: JSONValue

    /// Creates a form.
    package init(_ words: String?, _ schema: JSONValue = [:]) {
        self.words = words
        self.schema = schema
    }

    /// No value.
    package static let nothing = ValueForm(nil)
    /// `true` or `false`.
    package static let truth = ValueForm("true or false", SchemaValues.truth)
    /// Text.
    package static let text = ValueForm("text", SchemaValues.scalar)
    /// The form of a duration.
    package static let duration = ValueForm("a duration", SchemaValues.duration)
}
