package import JSON

extension JSONValue {
    /// Seconds to the microsecond, without an exponent for a reader that has none.
    package static func seconds(_ value: Double) -> JSONValue { .decimal(value, places: 6) }

    /// Seconds to the microsecond, or `null`.
    init(seconds: Double?) { self = seconds.map(JSONValue.seconds) ?? .null }
}
