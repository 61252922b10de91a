import CacheDifferential
import CacheOracle
import Mutants
import Testing

@Suite("The client compared with an independent reading of RFC 9111")
struct DifferentialTests {
    @Test("The client does only what the oracle permits")
    func client() {
        // ci/test runs 50,000 of them, in a release build.
        let summary = Comparison(SequenceRunner(), seed: 1, count: 900).run(jobs: 2)
        #expect(summary.sequences == 900)
        #expect(summary.reused > 500)
        #expect(summary.found.map(\.scenario) == [])
    }

    @Test(
        "The oracle notices a defect",
        arguments: ["no-store-ignored", "vary-ignored", "age-zero", "max-age-ignored", "nothing-invalidated"]
    )
    func defect(id: String) throws {
        let mutant = try #require(Mutant.all.first { $0.id == id })
        let runner = SequenceRunner(mutant.decoration)
        let isNoticed = (1...500).contains { seed in
            !runner.run(SequenceGenerator.sequence(seed: seed)).disagreements.isEmpty
        }
        #expect(isNoticed)
    }

    @Test("A failing sequence is shrunk to few steps that still fail, and printed with its exchanges")
    func shrinking() throws {
        let mutant = try #require(Mutant.all.first { $0.id == "vary-ignored" })
        let runner = SequenceRunner(mutant.decoration)
        let fails = { (sequence: ExchangeSequence) in !runner.run(sequence).disagreements.isEmpty }
        let seed = try #require((1...500).first { fails(SequenceGenerator.sequence(seed: $0)) })
        let smallest = SequenceShrinker(fails).shrink(SequenceGenerator.sequence(seed: seed))
        #expect(fails(smallest))
        #expect(smallest.steps.count <= 3)
        let text = ScenarioText(smallest, runner.run(smallest)).text
        #expect(text.contains("answers:"))
        #expect(text.contains("- request: {path: /a"))
    }

    @Test("A seed always gives the same sequence and the same run")
    func repeatable() {
        let sequence = SequenceGenerator.sequence(seed: 42)
        #expect(sequence == SequenceGenerator.sequence(seed: 42))
        let texts = (0..<2).map { _ in ScenarioText(sequence, SequenceRunner().run(sequence)).text }
        #expect(texts[0] == texts[1])
    }
}
