import CacheSemantics
package import LocatedYAML

/// Checks of the cache's decision and of its explanation.
extension CallerCheck {
    /// The parameter of `Cache-Status` that is in seconds and changes during transfer.
    private static let remainingFreshness = "ttl"

    mutating func checkDecision() {
        checkSource()
        if let isStale = seen.isStale, isJudged("stale") {
            mismatches.check(expected.isStale, "stale", isStale)
        }
        checkAge()
        if isJudged("cache-status") {
            for expectation in expected.cacheStatus { checkCacheStatus(expectation) }
        }
        checkFindings()
    }

    private mutating func checkSource() {
        guard let sources = expected.sources, let source = seen.source, isJudged("source"),
            !source.satisfies(sources.value, inAnyTier: context.mayUseAnyTier)
        else { return }
        mismatches.list.append(Mismatch(sources, seen: source))
    }

    private mutating func checkAge() {
        guard let age = expected.age, isJudged("age"),
            seen.age.map({ age.value.holds(for: $0, tolerance: context.tolerance) }) != true
        else { return }
        mismatches.list.append(
            Mismatch(
                position: age.position.description,
                subject: "age",
                expected: age.value.text,
                seen: seen.age.map(NumberExpectation.text) ?? "no age",
                detail: seen.age == nil ? .noAge : .other
            )
        )
    }

    private mutating func checkCacheStatus(_ wanted: Located<CacheStatusExpectation>) {
        let parameter = wanted.value.parameter
        let value = seen.cacheStatus?[parameter].flatMap(Self.parameterValue)
        let tolerance = parameter == Self.remainingFreshness ? context.tolerance : 0
        let holds = wanted.value.value.holds(for: value, in: context, tolerance: tolerance)
        if seen.cacheStatus != nil, holds { return }
        mismatches.list.append(
            Mismatch(
                position: wanted.position.description,
                subject: "cache-status.\(parameter)",
                expected: wanted.value.value.text(in: context),
                seen: seen.cacheStatus == nil ? "no Cache-Status" : value ?? "absent",
                detail: seen.cacheStatus == nil ? .noCacheStatus : .other
            )
        )
    }

    /// Returns a parameter's value; structured booleans are `true` and absent, strings have no quotes (RFC 9651 §3.3).
    private static func parameterValue(_ value: String) -> String? {
        switch value {
        case "?0", "false": nil
        case "?1", "": "true"
        default: value.hasPrefix("\"") && value.count > 1 ? String(value.dropFirst().dropLast()) : value
        }
    }

    private mutating func checkFindings() {
        guard let findings = expected.findings, isJudged("finding") else { return }
        let found = Set(seen.findings.map { FindingExpectation(rule: $0.rule.rawValue, held: $0.held) })
        for wanted in findings.value {
            mismatches.require(
                found.contains { $0.rule == wanted.rule && (wanted.held ?? $0.held) == $0.held },
                "finding",
                at: findings.position,
                expected: wanted.text,
                seen: found.isEmpty ? "no findings" : found.map(\.text).sorted().joined(separator: ", ")
            )
        }
    }
}

extension FindingExpectation {
    fileprivate var text: String { held.map { "\(rule) \($0 ? "held" : "did not hold")" } ?? rule }
}

extension Mismatch {
    fileprivate init(_ sources: Located<[Provenance]>, seen: Provenance?) {
        self.init(
            position: sources.position.description,
            subject: "source",
            expected: sources.value.text,
            seen: seen?.rawValue ?? "not known",
            detail: .source(expected: sources.value, seen: seen)
        )
    }

    /// Creates a mismatch for a response whose source is unknown and may not be the expected one.
    package init(unknownSource sources: Located<[Provenance]>) {
        self.init(sources, seen: nil)
    }
}
