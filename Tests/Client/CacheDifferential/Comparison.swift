import CacheOracle
import Locks
import Threads

/// Runs the sequences of a range of seeds on several threads.
public struct Comparison: Sendable {
    /// A kind of disagreement: the sections that were violated.
    public struct Found: Sendable {
        /// The sections.
        public let sections: String
        /// The first seed that showed it.
        public let seed: UInt64
        /// The number of sequences that showed it.
        public fileprivate(set) var number = 1
        /// The shrunk run as a scenario.
        public fileprivate(set) var scenario = ""
    }

    /// The results of all runs together.
    public struct Summary: Sendable {
        /// The number of sequences.
        public fileprivate(set) var sequences: UInt64 = 0
        /// The number of responses delivered.
        public fileprivate(set) var responses = 0
        /// The number of responses without their own exchange.
        public fileprivate(set) var reused = 0
        /// The number of sequences with a disagreement.
        public fileprivate(set) var disagreeing = 0
        /// Each kind of disagreement, the most frequent first.
        public fileprivate(set) var found: [Found] = []
    }

    private let runner: SequenceRunner
    private let seeds: Range<UInt64>

    /// Creates a comparison for `count` sequences, the first of which has the seed `seed`.
    public init(_ runner: SequenceRunner, seed: UInt64, count: UInt64) {
        self.runner = runner
        seeds = seed..<seed + count
    }

    /// Runs all sequences and shrinks the first of each kind of disagreement; blocks the calling thread.
    public func run(jobs: Int) -> Summary {
        let summary = Lock(Summary())
        let next = Lock(seeds.lowerBound)
        let threads = (0..<max(1, jobs)).map { _ in
            SystemThread { work(next, summary) }
        }
        for thread in threads { thread.join() }
        var total = summary.withLock { $0 }
        total.found.sort { $0.number > $1.number }
        for index in total.found.indices { total.found[index].scenario = shrunk(total.found[index]) }
        return total
    }

    /// Takes seeds, some at a time, until none is left.
    private func work(_ next: Lock<UInt64>, _ summary: Lock<Summary>) {
        while true {
            let first = next.withLock { next in
                defer { next = min(next + 256, seeds.upperBound) }
                return next
            }
            let batch = first..<min(first + 256, seeds.upperBound)
            guard !batch.isEmpty else { return }
            for seed in batch {
                let result = run(SequenceGenerator.sequence(seed: seed), seed)
                summary.withLock { $0.add(result, seed) }
            }
        }
    }

    private func run(_ sequence: ExchangeSequence, _ seed: UInt64) -> SequenceResult {
        runner.run(sequence, observes: seed % 2 == 1)
    }

    private func shrunk(_ found: Found) -> String {
        let shrinker = SequenceShrinker { sequence in
            run(sequence, found.seed).disagreements.contains { $0.sections == found.sections }
        }
        let smallest = shrinker.shrink(SequenceGenerator.sequence(seed: found.seed))
        return ScenarioText(smallest, run(smallest, found.seed)).text
    }
}

extension Comparison.Summary {
    fileprivate mutating func add(_ result: SequenceResult, _ seed: UInt64) {
        sequences += 1
        responses += result.delivered
        reused += result.reused
        guard let first = result.disagreements.first else { return }
        disagreeing += 1
        if let place = found.firstIndex(where: { $0.sections == first.sections }) {
            found[place].number += 1
        } else {
            found.append(.init(sections: first.sections, seed: seed))
        }
    }
}
