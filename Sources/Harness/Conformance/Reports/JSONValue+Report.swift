package import JSON

extension JSONValue {
    /// Returns seconds to the microsecond, without an exponent, because some readers do not accept one.
    package static func seconds(_ value: Double) -> JSONValue { .decimal(value, places: 6) }

    /// Creates seconds to the microsecond, or `null`.
    init(seconds: Double?) { self = seconds.map(JSONValue.seconds) ?? .null }
}
