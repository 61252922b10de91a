import Clocks
public import OriginScript

/// What the texts of a scenario stand for at the present moment: URLs of its origin, moments of its clock.
public struct ScenarioVariables: Sendable {
    let origin: any ScenarioOrigin
    let clock: any TimeSource
    /// Wall seconds at which the scenario began.
    let startedAt: Double

    /// What moments and `${…}` of field values stand for at present.
    var fieldContext: FieldContext {
        FieldContext(
            base: origin.base,
            other: origin.otherAuthority + origin.base,
            now: Int64(clock.wallSeconds.rounded(.down)),
            start: Int64(startedAt.rounded(.down))
        )
    }

    /// Returns the URL of a path of the script.
    public func url(_ path: String, query: String? = nil, atOtherHost: Bool = false) -> String {
        let authority = atOtherHost ? origin.otherAuthority : origin.authority
        let query = query.map { "?" + fieldContext.expand($0) } ?? ""
        return authority + origin.base + path + query
    }

    /// Returns field lines as they are sent now.
    public func fields(_ lines: [FieldLine]) -> [(name: String, value: String)] {
        let context = fieldContext
        return lines.map { ($0.name, $0.value.text(in: context)) }
    }
}
