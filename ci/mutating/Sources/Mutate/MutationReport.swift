import Foundation

/// Counts verdicts, and lists the survivors.
struct MutationReport {
    /// The number of all mutants, of which those that are added may be a sample.
    private let population: Int
    private var killedByScenarios = 0
    private var killedByTests = 0
    private var survivors: [(mutant: Mutant, isReached: Bool)] = []
    private var notRun: [String] = []

    init(population: Int) { self.population = population }

    /// The number of mutants with a verdict.
    var count: Int { killedByScenarios + killedByTests + survivors.count }

    mutating func add(_ mutant: Mutant, _ verdict: MutantVerdict) {
        switch verdict {
        case .byScenarios: killedByScenarios += 1
        case .byTests: killedByTests += 1
        case .survived: survivors.append((mutant, true))
        case .unreached: survivors.append((mutant, false))
        case .notRun(let reason): notRun.append("\(mutant.file):\(mutant.line): not run: \(reason)")
        }
    }

    var text: String {
        let listed = survivors.sorted { $0.mutant.id < $1.mutant.id }.map { mutant, isReached in
            "\(mutant.file):\(mutant.line): \(mutant.numberedSummary)\(isReached ? "" : "   (no scenario executes it)")"
        }
        return (listed + notRun + counts).joined(separator: "\n")
    }

    /// The totals, a line each.
    var counts: [String] {
        [
            "mutants: \(count) of \(population)",
            "killed by scenarios: \(share(killedByScenarios))",
            "killed by scenarios or tests: \(share(killedByScenarios + killedByTests))",
            "survived: \(survivors.count), of which no scenario executes \(survivors.count { !$0.isReached })",
        ]
    }

    private func share(_ part: Int) -> String {
        guard count > 0 else { return "0" }
        let text = "\(part) (\(Self.percent(Double(part) / Double(count))) %"
        guard count < population else { return text + ")" }
        let interval = Self.interval(part, of: count)
        return text
            + "; of all with 95 % confidence \(Self.percent(interval.low)) to \(Self.percent(interval.high)) %)"
    }

    private static func percent(_ share: Double) -> String { String(format: "%.1f", share * 100) }

    /// Wilson's interval of the share in the population with a confidence of 95 %.
    static func interval(_ part: Int, of count: Int) -> (low: Double, high: Double) {
        let (n, share, z) = (Double(count), Double(part) / Double(count), 1.96)
        let middle = share + z * z / (2 * n)
        let half = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
        let scale = 1 + z * z / n
        return ((middle - half) / scale, (middle + half) / scale)
    }
}

enum MutationError: Error, CustomStringConvertible {
    case noWorker(String)
    case malformed(String)

    var description: String {
        switch self {
        case .noWorker(let program): "\(program) has ended before it was ready"
        case .malformed(let text): text
        }
    }
}
