import Clocks
package import OriginScript

/// The current values of a scenario's texts: URLs of its origin, times of its clock.
package struct ScenarioVariables: Sendable {
    let origin: NamespaceOrigin
    /// Scheme and authority of the proxy that requests name in place of the origin; `nil` for the origin's own.
    let proxy: String?
    let clock: any TimeSource
    /// Wall seconds at which the scenario began.
    let startedAt: Double

    /// The current values of times and `${…}` in field values.
    var fieldContext: FieldContext {
        FieldContext(
            base: origin.base,
            other: (proxy ?? origin.otherAuthority) + origin.base,
            now: clock.timeSinceEpoch,
            start: .saturating(seconds: startedAt)
        )
    }

    /// Returns the URL of a path of the script.
    package func url(_ path: String, query: String? = nil, atOtherHost: Bool = false) -> String {
        let authority = proxy ?? (atOtherHost ? origin.otherAuthority : origin.authority)
        let query = query.map { "?" + fieldContext.expand($0) } ?? ""
        return authority + origin.base + path + query
    }

    /// Returns field lines with their current values.
    package func fields(_ lines: [FieldLine]) -> [(name: String, value: String)] {
        let context = fieldContext
        return lines.map { ($0.name, $0.value.text(in: context)) }
    }
}
