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
        checkContent(seen, context, &mismatches)
        mismatches.check(resumedFrom, "resumed-from", seen.resumedFrom)
        mismatches.check(kept, "kept", seen.kept)
        let counts = seen.progress.map { "\($0.completed)" }.joined(separator: ", ")
        mismatches.check(progress, "progress", text: \.text, seen: counts) { $0.holds(for: seen.progress) }
        return mismatches.list
    }

    private func checkContent(
        _ seen: DownloadObservation,
        _ context: ExpectationContext,
        _ mismatches: inout Mismatches
    ) {
        mismatches.check(file, "file", seen.file, absence: Self.noFile)
        if seen.file == nil {
            mismatches.check(body, "body", text: { $0.text(in: context) }, seen: Self.noFile) { _ in false }
        } else {
            mismatches.check(body, "body", seen.body, in: context)
        }
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
        let text = { (parts: [PartExpectation]) in Mismatches.list(parts.map(\.text)) }
        mismatches.check(self.parts, "parts", text: text, seen: text(parts)) { wanted in
            wanted.count == parts.count && wanted.allSatisfy { one in parts.contains { one.holds(for: $0) } }
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
