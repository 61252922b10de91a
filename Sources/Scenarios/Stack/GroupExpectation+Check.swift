import LocatedYAML

extension GroupExpectation {
    /// Returns what of this, and of what each request expects, does not hold.
    ///
    /// A request that expects nothing must succeed, unless this says how many do.
    public func check(
        _ seen: GroupObservation,
        _ steps: [FetchStep],
        context: ExpectationContext
    ) -> [Mismatch] {
        var mismatches = Mismatches()
        checkOrder(seen, &mismatches)
        checkOutcome(seen, &mismatches)
        checkLog(seen, &mismatches)
        for (step, result) in zip(steps, seen.results) where step.isJudged || !countsOutcomes {
            mismatches.list += step.expectation.check(result, context: context, at: step.position)
        }
        return mismatches.list
    }

    private func checkOrder(_ seen: GroupObservation, _ mismatches: inout Mismatches) {
        if let order {
            let ends = seen.course.filter { $0.hasPrefix(Self.end) }.map {
                String($0.dropFirst(Self.end.count))
            }
            mismatches.require(
                order.value == ends,
                "order",
                at: order.position,
                expected: Self.list(order.value),
                seen: Self.list(ends)
            )
        }
        if let course {
            mismatches.require(
                course.value == seen.course,
                "course",
                at: course.position,
                expected: Self.list(course.value),
                seen: Self.list(seen.course)
            )
        }
    }

    private func checkOutcome(_ seen: GroupObservation, _ mismatches: inout Mismatches) {
        let failed = seen.results.filter { $0.caller.error != nil }
        check(completed, "completed", seen.results.count - failed.count, &mismatches)
        check(self.failed, "failed", failed.count, &mismatches)
        check(atOnce, "at-once", seen.atOnce, &mismatches)
        check(completions, "completions", seen.completions, &mismatches)
        if let stoppedAt {
            mismatches.require(
                stoppedAt.value == failed.first?.name ?? "",
                "stopped-at",
                at: stoppedAt.position,
                expected: stoppedAt.value,
                seen: failed.first?.name ?? "no failure"
            )
        }
        if let errorCode {
            mismatches.require(
                errorCode.value == seen.error?.code ?? 0,
                "error",
                at: errorCode.position,
                expected: ErrorCode.text(of: errorCode.value),
                seen: seen.error.map { "\(ErrorCode.text(of: $0.code)): \($0.text)" } ?? "no error"
            )
        }
        if let took {
            mismatches.require(
                took.value.holds(for: seen.took),
                "took",
                at: took.position,
                expected: took.value.text + " s",
                seen: NumberExpectation.text(of: seen.took) + " s"
            )
        }
    }

    private func check(
        _ expectation: Located<NumberExpectation>?,
        _ subject: String,
        _ number: Int,
        _ mismatches: inout Mismatches
    ) {
        guard let expectation else { return }
        mismatches.require(
            expectation.value.holds(for: Double(number)),
            subject,
            at: expectation.position,
            expected: expectation.value.text,
            seen: "\(number)"
        )
    }

    private func checkLog(_ seen: GroupObservation, _ mismatches: inout Mismatches) {
        guard let log else { return }
        var rest = seen.log[...]
        for text in log.value {
            let place = rest.firstIndex { $0.contains(text) }
            mismatches.require(
                place != nil,
                "log",
                at: log.position,
                expected: "a line with \(YAMLNode.quoted(text))",
                seen: rest.isEmpty ? "no more lines" : Self.list(rest.map { YAMLNode.quoted($0) })
            )
            rest = place.map { rest[($0 + 1)...] } ?? rest
        }
    }

    private static let end = "end "

    private static func list(_ words: [String]) -> String {
        words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
}

extension FetchStep {
    /// Whether something is expected of this one.
    fileprivate var isJudged: Bool {
        let caller = expectation.caller
        return expectation.expectsFailure || expectation.value != nil || expectation.attempts != nil
            || caller.statuses != nil || !caller.fields.isEmpty || caller.body != nil
            || caller.errorCode != nil
            || caller.sources != nil || caller.took != nil
    }
}
