extension Baseline {
    /// Returns the text of a baseline that expects the failures among `results`, sorted by id.
    ///
    /// A failure that `former` names keeps its reason, and the date unless it is past; another gets the verdict's, in one line.
    /// Harness errors and results that fail no run are left out. Lines of `former` about the scenarios `others`, which
    /// were not run, are kept: names such as `id [shared]`; default none.
    public static func text(
        expecting results: [ScenarioResult],
        keeping former: Baseline,
        others: Set<String> = []
    ) -> String {
        let failures = results.filter { $0.standing == .failed || $0.standing == .expectedFailure }
        let lines = failures.map { result in
            "\(result.name): \(former.formerReason(for: result) ?? oneLine(result.verdict.reason))\n"
        }
        return "# Expected failures: `id [cache]: reason`. Replace each reason with your own.\n"
            + (lines + former.lines(of: others)).sorted().joined()
    }

    private static func oneLine(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.isEmpty ? "it fails" : line
    }
}
