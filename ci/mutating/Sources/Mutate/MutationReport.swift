import Foundation

/// Mutants that behave like the original, each with its reason.
struct EquivalentMutants {
    private var reasons: [String: String] = [:]

    /// Reads lines of key, tab and reason; `#` begins a comment.
    ///
    /// There are none where the file does not exist.
    init(contentsOf path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let parts = line.split(separator: "\t", maxSplits: 1)
            guard parts.count == 2 else {
                throw MutationError.malformed("\(path):\(number + 1): expected a key, a tab and a reason")
            }
            reasons[String(parts[0])] = String(parts[1])
        }
    }

    func reason(for mutant: Mutant) -> String? { reasons[mutant.key] }
}

/// Counts verdicts, and lists the survivors.
struct MutationReport {
    private var killedByScenarios = 0
    private var killedByTests = 0
    private var survivors: [(mutant: Mutant, isReached: Bool)] = []
    private var notRun: [String] = []

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
        let total = killedByScenarios + killedByTests + survivors.count
        let listed = survivors.sorted { $0.mutant.id < $1.mutant.id }.map { mutant, isReached in
            "\(mutant.file):\(mutant.line): \(mutant.summary)\(isReached ? "" : "   (no scenario executes it)")"
        }
        let counts = [
            "mutants: \(total)",
            "killed by scenarios: \(share(killedByScenarios, of: total))",
            "killed by scenarios or tests: \(share(killedByScenarios + killedByTests, of: total))",
            "survived: \(survivors.count), of which no scenario executes \(survivors.count { !$0.isReached })",
        ]
        return (listed + notRun + counts).joined(separator: "\n")
    }

    private func share(_ count: Int, of total: Int) -> String {
        let percent = total == 0 ? 0 : Double(count) / Double(total) * 100
        return "\(count) (\(String(format: "%.1f", percent)) %)"
    }
}

enum MutationError: Error, CustomStringConvertible {
    case failsWithout(String)
    case noWorker(String)
    case malformed(String)

    var description: String {
        switch self {
        case .failsWithout(let name): "\(name) fails without a mutant; expected it to pass"
        case .noWorker(let program): "\(program) has ended before it was ready"
        case .malformed(let text): text
        }
    }
}
