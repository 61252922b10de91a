package import LocatedYAML
package import Scenarios

extension DownloadExpectation {
    /// Returns the expectations that are not met; unless a failure is expected, there must be a file.
    package func check(
        _ seen: DownloadObservation,
        context: ExpectationContext,
        at position: Position
    ) -> [Mismatch] {
        var mismatches = Mismatches()
        checkOutcome(seen, context, position, &mismatches)
        mismatches.check(file, "file", seen.file, absence: Self.noFile)
        if let body, seen.file == nil {
            mismatches.require(
                false,
                "body",
                at: body.position,
                expected: body.value.text(in: context),
                seen: Self.noFile
            )
        } else {
            mismatches.check(body, "body", seen.body, in: context)
        }
        mismatches.check(resumedFrom, "resumed-from", seen.resumedFrom)
        mismatches.check(kept, "kept", seen.kept)
        if let progress {
            mismatches.require(
                progress.value.holds(for: seen.progress),
                "progress",
                at: progress.position,
                expected: progress.value.text,
                seen: seen.progress.map { "\($0.completed)" }.joined(separator: ", ")
            )
        }
        return mismatches.list
    }

    private static let noFile = "no file"

    private func checkOutcome(
        _ seen: DownloadObservation,
        _ context: ExpectationContext,
        _ position: Position,
        _ mismatches: inout Mismatches
    ) {
        var result = seen.outcome
        if seen.file != nil, result.caller.status == nil {
            // The status check requires a response; a downloaded file implies status 200.
            result.caller.status = 200
        }
        mismatches.list += outcome.check(result, context: context, at: position)
    }
}

extension ProgressExpectation {
    func holds(for seen: [(completed: Int, total: Int?)]) -> Bool {
        guard let begin = seen.first, let end = seen.last else { return false }
        let rises = zip(seen, seen.dropFirst()).allSatisfy { $0.completed <= $1.completed }
        return rises && first.map { $0 == begin.completed } ?? true
            && last.map { $0 == end.completed } ?? true
            && total.map { $0 == end.total } ?? true
    }

    var text: String {
        let parts = [first.map { "first \($0)" }, last.map { "last \($0)" }, total.map { "of \($0)" }]
        return "rising, " + parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension DownloadsStep {
    /// Returns the expectations that the downloads do not meet.
    package func check(running: [String], suspended: [String], parts: [PartExpectation]) -> [Mismatch] {
        var mismatches = Mismatches()
        mismatches.check(self.running, "running", running)
        mismatches.check(self.suspended, "suspended", suspended)
        if let wanted = self.parts {
            let holds =
                wanted.value.count == parts.count
                && wanted.value.allSatisfy { one in parts.contains { one.holds(for: $0) } }
            mismatches.require(
                holds,
                "parts",
                at: wanted.position,
                expected: Mismatches.list(wanted.value.map(\.text)),
                seen: Mismatches.list(parts.map(\.text))
            )
        }
        return mismatches.list
    }
}

extension PartExpectation {
    fileprivate func holds(for seen: PartExpectation) -> Bool {
        path == seen.path && received.map { $0 == seen.received } ?? true
            && total.map { $0 == seen.total } ?? true
            && ratio.map { wanted in seen.ratio.map { abs($0 - wanted) < 1e-9 } ?? false } ?? true
    }
}
