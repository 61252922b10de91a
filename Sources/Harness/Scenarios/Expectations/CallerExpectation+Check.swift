import CacheSemantics
package import LocatedYAML

extension CallerExpectation {
    /// Returns the expectations that do not hold, in the order of the reference; empty if all hold.
    ///
    /// Without an expectation about `error` (and `found`), a response is required. Observations that the subject does
    /// not report (`nil` source, staleness or events) are not judged.
    package func check(_ observation: CallerObservation, context: ExpectationContext) -> [Mismatch] {
        check(observation, context: context, at: Position(file: "", line: 0, column: 0))
    }

    /// Returns the same as `check(_:context:)`; an unexpected error is reported at `position`, the request's.
    package func check(
        _ observation: CallerObservation,
        context: ExpectationContext,
        at position: Position
    ) -> [Mismatch] {
        if context.errorsAreResponses, observation.error != nil, errorCode == nil,
            sources?.value.contains(.generated) == true
        {
            return []
        }
        var check = CallerCheck(expected: self, seen: observation, context: context)
        check.checkOutcome(at: position)
        check.checkDecision()
        check.checkResponse()
        check.checkCourse()
        return check.mismatches.list
    }
}

/// The comparison of one observation with its expectation, with one method for each part.
struct CallerCheck {
    let expected: CallerExpectation
    let seen: CallerObservation
    let context: ExpectationContext
    var mismatches = Mismatches()

    /// Whether the subject can report the observation for this key.
    func isJudged(_ key: String) -> Bool { !context.unjudged.contains(key) }
}

/// Checks whether a response, an error, or an entry was received.
extension CallerCheck {
    mutating func checkOutcome(at position: Position) {
        mismatches.check(errorCode: expected.errorCode, seen.error)
        if expected.errorCode == nil, expected.isFound == nil, seen.isFound == nil {
            checkResponseCame(at: position)
        }
        guard let isFound = expected.isFound else { return }
        mismatches.require(
            isFound.value == seen.isFound,
            "found",
            at: isFound.position,
            expected: "\(isFound.value)",
            seen: seen.isFound.map { "\($0)" } ?? "no lookup"
        )
    }

    private mutating func checkResponseCame(at position: Position) {
        guard seen.error != nil || seen.status == nil else { return }
        let sources = expected.sources?.value ?? []
        mismatches.list.append(
            Mismatch(
                position: position.description,
                subject: "outcome",
                expected: "a response" + (sources.isEmpty ? "" : " from \(sources.text)"),
                seen: Mismatches.text(of: seen.error),
                detail: .noResponse(expected: sources)
            )
        )
    }
}

/// Checks of events, pieces of content, redirects and time.
extension CallerCheck {
    mutating func checkCourse() {
        if let seenEvents = seen.events { checkEvents(seenEvents) }
        checkChunks()
        if let redirects = expected.redirects, isJudged("user-saw-redirects") {
            mismatches.require(
                redirects.value == seen.redirects,
                "user-saw-redirects",
                at: redirects.position,
                expected: "\(redirects.value)",
                seen: "\(seen.redirects)"
            )
        }
        if isJudged("took") {
            mismatches.check(took: expected.took, seen.took, tolerance: context.tolerance)
        }
    }

    private mutating func checkEvents(_ seenEvents: [String]) {
        guard let events = expected.events, isJudged("events") else { return }
        mismatches.require(
            Self.matches(seenEvents[...], pattern: events.value[...]),
            "events",
            at: events.position,
            expected: events.value.joined(separator: ", "),
            seen: seenEvents.isEmpty ? "none" : seenEvents.joined(separator: ", ")
        )
    }

    private mutating func checkChunks() {
        guard let chunks = expected.chunks, isJudged("chunks") else { return }
        mismatches.require(
            chunks.value == seen.chunks,
            "chunks",
            at: chunks.position,
            expected: chunks.value.map(String.init).joined(separator: ", "),
            seen: seen.chunks.isEmpty ? "none" : seen.chunks.map(String.init).joined(separator: ", ")
        )
    }

    /// Whether events match the pattern; `data*` stands for one or more `data`.
    private static func matches(_ events: ArraySlice<String>, pattern: ArraySlice<String>) -> Bool {
        guard let expected = pattern.first else { return events.isEmpty }
        guard expected.hasSuffix("*") else {
            return events.first == expected && matches(events.dropFirst(), pattern: pattern.dropFirst())
        }
        let name = String(expected.dropLast())
        let count = events.prefix { $0 == name }.count
        // The longest run first, then shorter ones in case the pattern continues with the same name.
        return stride(from: count, to: 0, by: -1).contains { length in
            matches(events.dropFirst(length), pattern: pattern.dropFirst())
        }
    }
}
