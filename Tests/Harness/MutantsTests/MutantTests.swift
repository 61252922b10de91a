import CacheSemantics
import Mutants
import Scenarios
import Testing

@Suite("Mutants of the built-in cache")
struct MutantTests {
    @Test("There are at least 80 defects, each with its own name and a sentence")
    func names() {
        #expect(Mutant.all.count >= 80)
        #expect(Set(Mutant.all.map(\.id)).count == Mutant.all.count)
        #expect(Mutant.all.allSatisfy { !$0.defect.isEmpty })
    }

    @Test("Every defect breaks at least one rule, and those of specifications are in the catalogue")
    func rules() {
        #expect(Mutant.all.count >= 80)
        for mutant in Mutant.all {
            #expect(!mutant.rules.isEmpty, "\(mutant.id)")
            for rule in mutant.rules where rule.hasPrefix("rfc") {
                #expect(RuleCatalogue.standard[rule] != nil, "\(mutant.id): \(rule)")
            }
        }
    }
}
