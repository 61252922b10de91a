/// The reasons for which scenarios of a run were skipped, with their numbers.
struct SkipReasons {
    private var counts: [String: Int] = [:]

    /// Counts a result; only one that was skipped has a reason.
    mutating func add(_ result: ScenarioResult) {
        if case .skipped(let reason) = result.verdict { counts[reason, default: 0] += 1 }
    }

    /// The reasons, the most frequent first.
    var sorted: [(reason: String, count: Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }
}
