import ArgumentParser

/// Which mutants of a folder are run, and in which order.
struct MutantDraw: ParsableArguments {
    @Option(help: "How many mutants of each folder, drawn by the seed; default: all.") var sample: Int?
    @Option(help: "The seed of the sample, and of the order of the run.") var seed: UInt64 = 1

    /// Returns the mutants that are run; those of a sample that remain when others go do so in the same order.
    func drawn(from mutants: [Mutant]) -> [Mutant] {
        let ranked = mutants.map { (rank: rank(of: $0), mutant: $0) }
        let sorted = ranked.sorted { ($0.rank, $0.mutant.id) < ($1.rank, $1.mutant.id) }
        return sorted.prefix(sample ?? sorted.count).map(\.mutant)
    }

    /// A random number that depends on nothing but the seed and what the mutant is.
    ///
    /// So a mutant that does not compile is replaced by the next one, and a change of the source leaves most of a sample as it was.
    private func rank(of mutant: Mutant) -> UInt64 {
        var generator = SeededGenerator(state: seed ^ StableHash(mutant.key).value)
        return generator.next()
    }
}
