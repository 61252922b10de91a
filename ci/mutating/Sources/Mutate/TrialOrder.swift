/// The order in which trials are run: first those that noticed mutants near by, then the quickest.
struct TrialOrder {
    /// How many lines apart mutants are near each other.
    private static let nearby = 12
    private var noticed: [String: [(line: Int, trial: Int)]] = [:]
    private var counts: [String: [Int: Int]] = [:]

    mutating func note(_ mutant: Mutant, noticedBy trial: Int) {
        noticed[mutant.file, default: []].append((mutant.line, trial))
        counts[mutant.file, default: [:]][trial, default: 0] += 1
    }

    /// Returns the trials in the order in which they should be run.
    func ordered(_ trials: [Int], for mutant: Mutant, in table: TrialTable) -> [Int] {
        let near = Set(
            (noticed[mutant.file] ?? []).filter { abs($0.line - mutant.line) <= Self.nearby }.map(\.trial)
        )
        let counts = counts[mutant.file] ?? [:]
        let keyed = trials.map { trial in
            (near.contains(trial) ? 0 : 1, -(counts[trial] ?? 0), table.trials[trial].duration, trial)
        }
        return keyed.sorted { $0 < $1 }.map(\.3)
    }
}
