public import JSON

/// The parameters of a request, by name.
///
/// They are written sorted by name, so equal parameters result in equal URLs, bodies and identifiers.
public struct Parameters: Sendable, Hashable {
    /// The values by name.
    public var values: [String: JSONValue]

    /// Creates parameters; by default none.
    public init(_ values: [String: JSONValue] = [:]) { self.values = values }

    /// The value of a parameter; `nil` if there is none.
    public subscript(name: String) -> JSONValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Whether there are none.
    public var isEmpty: Bool { values.isEmpty }

    /// Returns these parameters and those of `defaults` with other names.
    public func over(_ defaults: Parameters) -> Parameters {
        Parameters(values.merging(defaults.values) { own, _ in own })
    }

    /// The parameters as a JSON object.
    public var json: JSONValue { .object(JSONObject(values)) }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters; the last of several with the same name is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        values = Dictionary(elements) { _, last in last }
    }
}
