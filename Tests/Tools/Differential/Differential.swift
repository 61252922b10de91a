import CacheDifferential
import CacheOracle
import CLibrary
import Locks
import Mutants
import Threads

/// Drives the client, or its mutants, through generated sequences; see `ci/differential`.
///
/// `run SEED COUNT JOBS`, `mutants SEED COUNT JOBS`, `show SEED`, `peer PORT SEED COUNT`.
@main
enum Differential {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.dropFirst().compactMap(UInt64.init)
        switch (arguments.first, numbers.count) {
        case ("run", 3): exit(run(numbers[0], count: numbers[1], jobs: Int(numbers[2])))
        case ("mutants", 3): exit(mutants(numbers[0], count: numbers[1], jobs: Int(numbers[2])))
        case ("show", 1):
            let sequence = SequenceGenerator.sequence(seed: numbers[0])
            print(ScenarioText(sequence, SequenceRunner().run(sequence, observes: numbers[0] % 2 == 1)).text)
        case ("peer", 3):
            guard let port = Int(exactly: numbers[0]) else { fallthrough }
            exit(PeerComparison.run(port: port, seed: numbers[1], count: Int(numbers[2])))
        default:
            print("expected run SEED COUNT JOBS, mutants SEED COUNT JOBS, show SEED or peer PORT SEED COUNT")
            exit(64)
        }
    }

    /// Runs sequences against the client; prints each kind of disagreement once, shrunk.
    private static func run(_ seed: UInt64, count: UInt64, jobs: Int) -> Int32 {
        let summary = Comparison(SequenceRunner(), seed: seed, count: count).run(jobs: jobs)
        for found in summary.found {
            print("== seed \(found.seed), \(found.number) like it: \(found.sections)\n\(found.scenario)")
        }
        print(
            "\(summary.sequences) sequences from seed \(seed), \(summary.responses) responses, "
                + "\(summary.reused) without an exchange of their own, "
                + "\(summary.disagreeing) sequences disagree, in \(summary.found.count) kinds"
        )
        return summary.disagreeing == 0 ? 0 : 1
    }

    /// Runs sequences against each mutant until one disagrees; prints those that none does with.
    private static func mutants(_ seed: UInt64, count: UInt64, jobs: Int) -> Int32 {
        let next = Lock(0)
        let lines = Lock([String?](repeating: nil, count: Mutant.all.count))
        let threads = (0..<jobs).map { _ in
            SystemThread {
                while true {
                    let place = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    guard place < Mutant.all.count else { return }
                    let line = verdict(Mutant.all[place], seed, count)
                    lines.withLock { $0[place] = line }
                }
            }
        }
        for thread in threads { thread.join() }
        let all = lines.withLock { $0.compactMap(\.self) }
        for line in all { print(line) }
        let killed = all.count { $0.hasPrefix("killed") }
        print("\(killed) of \(all.count) mutants are noticed within \(count) sequences each")
        return 0
    }

    private static func verdict(_ mutant: Mutant, _ seed: UInt64, _ count: UInt64) -> String {
        let runner = SequenceRunner(mutant.decoration)
        for number in 0..<count {
            let sequence = SequenceGenerator.sequence(seed: seed &+ number)
            let result = runner.run(sequence, observes: number % 2 == 1)
            if let first = result.disagreements.first {
                return "killed  \(mutant.id) by seed \(seed &+ number): \(first)"
            }
        }
        return "missed  \(mutant.id): \(mutant.defect)"
    }
}
