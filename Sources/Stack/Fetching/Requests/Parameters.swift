public import JSON

/// The parameters of a request, by name.
///
/// Their order does not matter: wherever they are written they are sorted by name, so equal parameters make equal
/// URLs, bodies and identifiers.
public struct Parameters: Sendable, Hashable {
    /// The parameters.
    public var values: [String: JSONValue]

    /// Creates parameters; by default none.
    public init(_ values: [String: JSONValue] = [:]) { self.values = values }

    /// The value of a parameter; `nil` where there is none.
    public subscript(name: String) -> JSONValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Whether there are none.
    public var isEmpty: Bool { values.isEmpty }

    /// These parameters and those of `defaults` that have other names.
    public func over(_ defaults: Parameters) -> Parameters {
        Parameters(values.merging(defaults.values) { own, _ in own })
    }

    /// All of them as one JSON object.
    public var json: JSONValue { .object(JSONObject(values)) }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters; of those with one name the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        values = Dictionary(elements) { _, last in last }
    }
}
