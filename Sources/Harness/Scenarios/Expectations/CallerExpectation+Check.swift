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
        let mayBeError = errorCodes == nil && sources?.value.contains(.generated) == true
        if context.errorsAreResponses, observation.error != nil, mayBeError { return [] }
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
        mismatches.check(errorCodes: expected.errorCodes, seen.error)
        if expected.errorCodes == nil, expected.isFound == nil, seen.isFound == nil {
            checkResponseCame(at: position)
        }
        let found = seen.isFound.map { "\($0)" } ?? "no lookup"
        mismatches.check(expected.isFound, "found", text: { "\($0)" }, seen: found) { $0 == seen.isFound }
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
        if let events = seen.events, isJudged("events") { checkEvents(events) }
        if isJudged("chunks") {
            let text = { (chunks: [Int]) in chunks.map(String.init).joined(separator: ", ") }
            let chunks = seen.chunks.isEmpty ? "none" : text(seen.chunks)
            mismatches.check(expected.chunks, "chunks", text: text, seen: chunks) { $0 == seen.chunks }
        }
        let redirects = "user-saw-redirects"
        if isJudged(redirects) {
            mismatches.check(expected.redirects, redirects, text: { "\($0)" }, seen: "\(seen.redirects)") {
                $0 == seen.redirects
            }
        }
        if isJudged("took") { mismatches.check(took: expected.took, seen.took, tolerance: context.tolerance) }
    }

    private mutating func checkEvents(_ events: [String]) {
        let text = { (events: [String]) in events.joined(separator: ", ") }
        mismatches.check(expected.events, "events", text: text, seen: events.isEmpty ? "none" : text(events))
        {
            Self.matches(events[...], pattern: $0[...])
        }
    }

    /// Whether events match the pattern; `data*` matches one or more `data`.
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
