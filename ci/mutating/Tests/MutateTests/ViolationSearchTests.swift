import Testing

@testable import Mutate

@Suite("The mutants that may violate a rule")
struct ViolationSearchTests {
    @Test("Advice and what nothing can violate are left out")
    func violableRules() {
        let text = """
            rules:
              - id: a.one
                sentence: A response is stored.
                verdict: as stated
              - id: a.two
                sentence: Compress.
                verdict: advice
              - id: a.three
                sentence: It compiles.
                verdict: defective
                unviolable: It does not compile.
            """
        let rules = DocumentRule.all(in: text)
        #expect(rules.map(\.id) == ["a.one"])
        #expect(rules.map(\.sentence) == ["A response is stored."])
    }

    @Test("Words have one stem with their endings, also within camel case")
    func words() {
        #expect(stems(in: "removes") == stems(in: "didRemoval"))
        #expect(stems(in: "a url is not") == [])
    }

    @Test("The rule's own system comes first, then mutants that few checks reach and that share its words")
    func order() {
        let mutants = [
            mutant(1, "Sources/Client/A.swift"), mutant(2, "Sources/Stack/ImageLoading/A.swift"),
            mutant(3, "Sources/Stack/ImageLoading/B.swift"),
            mutant(4, "Sources/Stack/ImageLoading/PurgedCache.swift"),
            mutant(5, "Sources/Origin/A.swift"),
        ]
        let checks = [
            check("narrow", ["nscache.purges"], [1, 2, 3, 4, 5]), check("other", ["nscache.other"], [2, 4]),
        ]
        let rule = DocumentRule(id: "nscache.purges", sentence: "The cache purges.")
        let search = ViolationSearch(checks, mutants)
        let attempts = search.attempts(for: rule, round: 0..<8)
        #expect(attempts.map(\.check.name) == ["narrow"])
        #expect(attempts.map { $0.mutants.map(\.id) } == [[4, 3, 2, 1]])
        #expect(search.attempts(for: rule, round: 1..<3).map { $0.mutants.map(\.id) } == [[3, 2]])
    }

    @Test("The check that names the fewest rules comes first")
    func checks() {
        let checks = [
            check("of two", ["http.a", "http.b"], [1]), check("of one", ["http.a"], [1]),
            check("of another", ["http.c"], [1]),
        ]
        let search = ViolationSearch(checks, [mutant(1, "Sources/Client/A.swift")])
        let rule = DocumentRule(id: "http.a", sentence: "It is.")
        #expect(search.attempts(for: rule, round: 0..<1).map(\.check.name) == ["of one", "of two"])
        #expect(!search.hasCheck(of: DocumentRule(id: "http.d", sentence: "It is.")))
    }

    private func check(_ name: String, _ rules: [String], _ reached: [Int]) -> RuleCheck {
        RuleCheck(kind: .trial(0), name: name, rules: rules, duration: 0.1, reached: reached)
    }

    private func mutant(_ id: Int, _ file: String) -> Mutant {
        Mutant(
            id: id,
            file: file,
            line: 1,
            change: .truth,
            original: "true",
            replacement: "false",
            isInitial: false
        )
    }
}
