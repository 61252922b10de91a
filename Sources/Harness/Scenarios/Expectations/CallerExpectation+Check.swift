import CacheSemantics
public import LocatedYAML

extension CallerExpectation {
    /// Returns what of this does not hold, in the order of the reference; empty where all does.
    ///
    /// Without an expectation about `error` (and `found`), a response must have come. What the subject cannot
    /// tell (`nil` source, staleness or events) is not judged.
    public func check(_ observation: CallerObservation, context: ExpectationContext) -> [Mismatch] {
        check(observation, context: context, at: Position(file: "", line: 0, column: 0))
    }

    /// As `check(_:context:)`; an unexpected error is reported at `position`, the request's.
    public func check(
        _ observation: CallerObservation,
        context: ExpectationContext,
        at position: Position
    ) -> [Mismatch] {
        var mismatches = Mismatches()
        if context.errorsAreResponses, observation.error != nil, errorCode == nil,
            sources?.value.contains(Self.nowhere) == true
        {
            return []
        }
        checkOutcome(observation, at: position, &mismatches)
        checkDecision(observation, context, &mismatches)
        checkResponse(observation, context, &mismatches)
        checkCourse(observation, context, &mismatches)
        return mismatches.list
    }

    /// What is said to be seen where there was no error.
    package static let noError = "no error"

    private func checkOutcome(
        _ seen: CallerObservation,
        at position: Position,
        _ mismatches: inout Mismatches
    ) {
        mismatches.check(errorCode: errorCode, seen.error)
        if errorCode == nil, isFound == nil, seen.isFound == nil {
            mismatches.require(
                seen.error == nil && seen.status != nil,
                "outcome",
                at: position,
                expected: "a response"
                    + (sources.map { " from " + $0.value.joined(separator: " or ") } ?? ""),
                seen: Mismatches.text(of: seen.error)
            )
        }
        if let isFound {
            mismatches.require(
                isFound.value == seen.isFound,
                "found",
                at: isFound.position,
                expected: "\(isFound.value)",
                seen: seen.isFound.map { "\($0)" } ?? "no lookup"
            )
        }
    }

    private func checkDecision(
        _ seen: CallerObservation,
        _ context: ExpectationContext,
        _ mismatches: inout Mismatches
    ) {
        if let sources, let source = seen.source, !context.unjudged.contains("source") {
            mismatches.require(
                source.split(separator: " ").contains { holds(sources.value, for: String($0)) },
                "source",
                at: sources.position,
                expected: sources.value.joined(separator: " or "),
                seen: source
            )
        }
        if let seenStale = seen.isStale, !context.unjudged.contains("stale") {
            mismatches.check(isStale, "stale", seenStale)
        }
        if let age, !context.unjudged.contains("age") {
            mismatches.require(
                seen.age.map { age.value.holds(for: $0, tolerance: context.tolerance) } ?? false,
                "age",
                at: age.position,
                expected: age.value.text,
                seen: seen.age.map(NumberExpectation.text) ?? "no age"
            )
        }
        checkCacheStatus(seen, context, &mismatches)
        checkFindings(seen, context, &mismatches)
    }

    private func holds(_ expected: [String], for source: String) -> Bool {
        expected.contains(source)
            || Self.isStore(source) && expected.contains(where: Self.isStore)
                && (source == Self.anyStore || expected.contains(Self.anyStore))
    }

    /// Where a response comes from that the cache has made up.
    private static let nowhere = "none"
    /// What a subject tells that has one store only, and what an expectation says that takes either tier.
    private static let anyStore = "cache"
    /// What is told in seconds, and passes while a response is on its way.
    private static let timeToLive = "ttl"
    private static let age = "age"

    private static func isStore(_ source: String) -> Bool {
        source == "memory" || source == "disk" || source == anyStore
    }

    private func checkCacheStatus(
        _ seen: CallerObservation,
        _ context: ExpectationContext,
        _ mismatches: inout Mismatches
    ) {
        guard !context.unjudged.contains("cache-status") else { return }
        for expectation in cacheStatus {
            let parameter = expectation.value.parameter
            let value = seen.cacheStatus?[parameter].flatMap(Self.parameterValue)
            mismatches.require(
                seen.cacheStatus != nil
                    && expectation.value.value.holds(
                        for: value,
                        in: context,
                        tolerance: parameter == Self.timeToLive ? context.tolerance : 0
                    ),
                "cache-status.\(parameter)",
                at: expectation.position,
                expected: expectation.value.value.text(in: context),
                seen: seen.cacheStatus == nil ? "no Cache-Status" : value ?? "absent"
            )
        }
    }

    /// A parameter's value; structured booleans are `true` and absent, strings have no quotes (RFC 9651 §3.3).
    private static func parameterValue(_ value: String) -> String? {
        switch value {
        case "?0", "false": nil
        case "?1", "": "true"
        default: value.hasPrefix("\"") && value.count > 1 ? String(value.dropFirst().dropLast()) : value
        }
    }

    private func checkFindings(
        _ seen: CallerObservation,
        _ context: ExpectationContext,
        _ mismatches: inout Mismatches
    ) {
        guard let findings, !context.unjudged.contains("finding") else { return }
        let found = Set(seen.findings.map(\.rule.rawValue))
        for rule in findings.value {
            mismatches.require(
                found.contains(rule),
                "finding",
                at: findings.position,
                expected: rule,
                seen: found.isEmpty ? "no findings" : found.sorted().joined(separator: ", ")
            )
        }
    }

    private func checkResponse(
        _ seen: CallerObservation,
        _ context: ExpectationContext,
        _ mismatches: inout Mismatches
    ) {
        if let statuses {
            mismatches.require(
                seen.status.map(statuses.value.contains) ?? false,
                "status",
                at: statuses.position,
                expected: statuses.value.map(String.init).joined(separator: " or "),
                seen: seen.status.map(String.init) ?? "no response"
            )
        }
        let table = FieldTable(seen.fields)
        for field in fields {
            let value = table[field.value.name]
            mismatches.require(
                field.value.value.holds(
                    for: value,
                    in: context,
                    tolerance: field.value.name.lowercased() == Self.age ? context.tolerance : 0
                ),
                "fields.\(field.value.name)",
                at: field.position,
                expected: field.value.value.text(in: context),
                seen: value.map(YAMLNode.quoted) ?? "absent"
            )
        }
        mismatches.check(body, "body", seen.body, in: context)
        if let userInfo {
            mismatches.require(
                userInfo.value == seen.userInfo,
                "user-info",
                at: userInfo.position,
                expected: Self.text(of: userInfo.value),
                seen: Self.text(of: seen.userInfo)
            )
        }
    }

    private func checkCourse(
        _ seen: CallerObservation,
        _ context: ExpectationContext,
        _ mismatches: inout Mismatches
    ) {
        if let events, let seenEvents = seen.events, !context.unjudged.contains("events") {
            mismatches.require(
                Self.matches(seenEvents[...], pattern: events.value[...]),
                "events",
                at: events.position,
                expected: events.value.joined(separator: ", "),
                seen: seenEvents.isEmpty ? "none" : seenEvents.joined(separator: ", ")
            )
        }
        if let chunks, !context.unjudged.contains("chunks") {
            mismatches.require(
                chunks.value == seen.chunks,
                "chunks",
                at: chunks.position,
                expected: chunks.value.map(String.init).joined(separator: ", "),
                seen: seen.chunks.isEmpty ? "none" : seen.chunks.map(String.init).joined(separator: ", ")
            )
        }
        if let redirects, !context.unjudged.contains("user-saw-redirects") {
            mismatches.require(
                redirects.value == seen.redirects,
                "user-saw-redirects",
                at: redirects.position,
                expected: "\(redirects.value)",
                seen: "\(seen.redirects)"
            )
        }
        if !context.unjudged.contains("took") {
            mismatches.check(took: took, seen.took, tolerance: context.tolerance)
        }
    }

    /// Whether events are those of the pattern; `data*` stands for one or more `data`.
    private static func matches(_ events: ArraySlice<String>, pattern: ArraySlice<String>) -> Bool {
        guard let expected = pattern.first else { return events.isEmpty }
        guard expected.hasSuffix("*") else {
            return events.first == expected && matches(events.dropFirst(), pattern: pattern.dropFirst())
        }
        let name = String(expected.dropLast())
        let count = events.prefix { $0 == name }.count
        // The longest run first; a shorter one where the pattern goes on with the same name.
        return stride(from: count, to: 0, by: -1).contains { length in
            matches(events.dropFirst(length), pattern: pattern.dropFirst())
        }
    }

    private static func text(of userInfo: [String: String]) -> String {
        let pairs = userInfo.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "{" + pairs.joined(separator: ", ") + "}"
    }
}
