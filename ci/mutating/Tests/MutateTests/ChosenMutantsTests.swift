import Testing

@testable import Mutate

@Suite("The mutants that are chosen for rules")
struct ChosenMutantsTests {
    private let mutant = Mutant(
        id: 5,
        file: "a.swift",
        line: 3,
        change: .constant,
        original: "1",
        replacement: "2",
        isInitial: false
    )

    @Test("A choice is of a mutant by its file and change, and by its line if it has one")
    func lines() throws {
        let chosen = try ChosenMutants(
            text: """
                # Rules.
                a.one\ta.swift: 1 → 2
                a.two\ta.swift:3: 1 → 2
                a.three\ta.swift:4: 1 → 2
                a.four\tb.swift: 1 → 2
                """
        )
        #expect(chosen.choices.filter { $0.isOf(mutant) }.map(\.rule) == ["a.one", "a.two"])
    }

    @Test("A change is written unless it is made mechanically, with the number of its first line")
    func written() throws {
        let chosen = try ChosenMutants(
            text: """
                a.one\ta.swift: 1 → 2
                a.two\ta.swift: f() → g()
                a.three\tb.swift: f() → g()
                a.four\ta.swift: f() → g()
                a.five\ta.swift: remove f()
                a.six\ta.swift: "a" → ""
                """
        )
        let written = chosen.written(in: "a.swift", besides: [mutant])
        #expect(written.map(\.id) == [2, 5])
        #expect(written.map(\.original) == ["f()", "\"a\""])
        #expect(written.map(\.replacement) == ["g()", "\"\""])
    }

    @Test("A line without a tab is refused")
    func malformed() {
        #expect(throws: MutationError.self) { try ChosenMutants(text: "a.one a.swift: 1 → 2") }
    }
}
