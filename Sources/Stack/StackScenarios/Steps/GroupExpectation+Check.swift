import LocatedYAML
package import Scenarios

extension GroupExpectation {
    /// Returns the expectations of the group and of its requests that are not met.
    ///
    /// A request without an expectation must succeed, unless the group expects a number of outcomes.
    package func check(
        _ seen: GroupObservation,
        _ steps: [FetchStep],
        context: ExpectationContext
    ) -> [Mismatch] {
        var mismatches = Mismatches()
        checkOrder(seen, &mismatches)
        checkOutcome(seen, &mismatches)
        mismatches.check(lines: log, "log", seen.log)
        for (step, result) in zip(steps, seen.results) where step.isJudged || !countsOutcomes {
            mismatches.list += step.expectation.check(result, context: context, at: step.position)
        }
        return mismatches.list
    }

    private func checkOrder(_ seen: GroupObservation, _ mismatches: inout Mismatches) {
        let ends = seen.course.filter { $0.hasPrefix(Self.end) }.map { String($0.dropFirst(Self.end.count)) }
        mismatches.check(order, "order", ends)
        mismatches.check(course, "course", seen.course)
    }

    private func checkOutcome(_ seen: GroupObservation, _ mismatches: inout Mismatches) {
        let failed = seen.results.filter { $0.caller.error != nil }
        mismatches.check(completed, "completed", seen.results.count - failed.count)
        mismatches.check(self.failed, "failed", failed.count)
        mismatches.check(atOnce, "at-once", seen.atOnce)
        mismatches.check(completions, "completions", seen.completions)
        let first = failed.first?.name
        mismatches.check(stoppedAt, "stopped-at", text: \.self, seen: first ?? "no failure") {
            $0 == first ?? ""
        }
        mismatches.check(errorCodes: errorCodes, seen.error)
        mismatches.check(took: took, seen.took)
    }

    private static let end = "end "
}

extension FetchStep {
    /// Whether the step has an expectation.
    fileprivate var isJudged: Bool {
        let caller = expectation.caller
        return expectation.expectsFailure || expectation.value != nil || expectation.attempts != nil
            || caller.statuses != nil || !caller.fields.isEmpty || caller.body != nil
            || caller.errorCodes != nil
            || caller.sources != nil || caller.took != nil
    }
}
