package import OriginScript

/// The context in which expectations are compared.
package struct ExpectationContext: Sendable {
    /// The start of every scenario's virtual clock: 2026-01-01T00:00:00Z, in seconds since 1970.
    package static let virtualStart: Int64 = 1_767_225_600

    /// The values that field values depend on: the origin's paths, the current time and the scenario's beginning.
    package var origin: FieldContext
    /// Content that labelled requests received, by label.
    package var bodies: [String: [UInt8]]
    /// Keys of `expect` that the subject cannot report, such as `cache-status`; they are not judged.
    package var unjudged: Set<String>
    /// The tolerance for times and ages in seconds; 0 with the virtual clock.
    package var tolerance: Double
    /// Whether an error counts as the error response that a cache must generate, as for a cache that is part of its
    /// caller (RFC 9111 §5.2.2.2); default false.
    package var errorsAreResponses = false
    /// Whether a response may come from another tier of the store than the expected one, as for a subject of which no
    /// rule specifies how its tiers are used; default false.
    package var mayUseAnyTier = false

    /// Creates a context.
    package init(
        origin: FieldContext,
        bodies: [String: [UInt8]] = [:],
        unjudged: Set<String> = [],
        tolerance: Double = 0
    ) {
        self.origin = origin
        self.bodies = bodies
        self.unjudged = unjudged
        self.tolerance = tolerance
    }

    /// Creates a context from its parts; times are in seconds since 1970.
    package init(
        base: String,
        other: String,
        now: Int64,
        start: Int64 = ExpectationContext.virtualStart,
        bodies: [String: [UInt8]] = [:]
    ) {
        self.init(
            origin: FieldContext(base: base, other: other, now: .seconds(now), start: .seconds(start)),
            bodies: bodies
        )
    }
}
