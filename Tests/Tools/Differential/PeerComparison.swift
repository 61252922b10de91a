import CacheDifferential
import CacheOracle
import CLibrary
import TestSupport
import Threads

/// Compares a cache outside this process with the oracle.
enum PeerComparison {
    private static let longest = 30
    private static let preparation = 20

    /// Runs `count` sequences from `seed` at once through the proxy at `port`, and prints each kind of disagreement.
    ///
    /// The first line is the offset of the clock and the port of the origin, for whoever starts the proxy.
    static func run(port: Int, seed: UInt64, count: Int) -> Int32 {
        let clock = PeerClock(beginningIn: preparation)
        var runs: [PeerRun] = []
        var next = seed
        while runs.count < count {
            let sequence = SequenceGenerator.sequence(seed: next)
            if sequence.isShared, PeerRun.canRun(sequence, within: longest) {
                runs.append(PeerRun(seed: next, sequence, clock))
            }
            next += 1
        }
        let origin = PeerOrigin(Dictionary(uniqueKeysWithValues: runs.map { ($0.place, $0) }))
        print("offset \(clock.offset) origin \(origin.port)")
        fflush(nil)
        let threads = runs.map { run in SystemThread { run.run(port: port) } }
        for thread in threads { thread.join() }
        report(runs)
        return 0
    }

    /// Returns the disagreements without those about decisions of this project, which bind no other cache.
    private static func disagreements(_ result: SequenceResult) -> [SequenceResult.Disagreement] {
        result.disagreements.filter { !$0.reasons.contains { $0.hasPrefix("policy") } }
    }

    private static func report(_ runs: [PeerRun]) {
        let results = runs.compactMap { run in run.result.map { (run, $0) } }
        let disagreeing = results.filter { !Self.disagreements($0.1).isEmpty }
        let kinds = Dictionary(grouping: disagreeing) { Self.disagreements($0.1)[0].sections }
        for (sections, found) in kinds.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
            let shortest = found.min { $0.1.events.count < $1.1.events.count }
            guard let (run, result) = shortest else { continue }
            print("== \(found.count) \(sections): seed \(run.seed)")
            print(ScenarioText(run.sequence, result).text)
        }
        let responses = results.map(\.1.delivered).reduce(0, +)
        let reused = results.map(\.1.reused).reduce(0, +)
        print(
            "\(results.count) sequences, \(runs.count - results.count) late ones left out, \(responses) responses, "
                + "\(runs.map(\.refused).reduce(0, +)) requests refused, "
                + "\(reused) without an exchange of their own, \(disagreeing.count) sequences disagree, "
                + "in \(kinds.count) kinds"
        )
    }
}
