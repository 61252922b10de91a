import Testing

@testable import Mutate

@Suite("Equivalent mutants")
struct EquivalentMutantsTests {
    @Test("A change that a file has more than once is numbered in the order of its lines, per file")
    func numbers() {
        let found = [mutant(1, line: 9), mutant(2, line: 3), mutant(3, line: 5, original: "b")].numbered()
        #expect(
            found.map(\.key) == [
                "S/a.swift: a → 1 (2 of 2)", "S/a.swift: a → 1 (1 of 2)", "S/a.swift: b → 1",
            ]
        )
        #expect(found.map(\.id) == [1, 2, 3])
    }

    @Test("Only the listed one of several is equivalent")
    func oneOfSeveral() throws {
        let known = try EquivalentMutants(
            "# why\n\nS/a.swift: a → 1 (2 of 2)\tno one can tell\n",
            path: "list"
        )
        let found = [mutant(1, line: 9), mutant(2, line: 3)].numbered()
        #expect(found.filter(known.contains).map(\.line) == [9])
    }

    static let keys = ["S/a.swift: a → 1 (1 of 2)", "S/a.swift: a → 1 (2 of 2)", "S/a.swift: b → 1"]

    @Test(
        "A key that is not that of one mutant is refused with its line",
        arguments: [
            ("S/a.swift: b → 1\tr", nil), ("S/a.swift: a → 1 (2 of 2)\tr", nil), ("T/b.swift: c → 1\tr", nil),
            (
                "#\nS/a.swift: a → 1\tr",
                "list:2: the file has this change more than once; expected it with its number, as in \(keys[0])"
            ), ("S/a.swift: a → 1 (1 of 3)\tr", "list:1: no mutant has this key: S/a.swift: a → 1 (1 of 3)"),
            ("S/gone.swift: a → 1\tr", "list:1: no mutant has this key: S/gone.swift: a → 1"),
            ("S/a.swift: b → 1\tr\nS/a.swift: b → 1\ts", "list:2: listed twice: S/a.swift: b → 1"),
            ("S/a.swift: b → 1", "list:1: expected a key, a tab and a reason"),
        ] as [(String, String?)]
    )
    func problems(text: String, problem: String?) {
        var found: String?
        do {
            try EquivalentMutants(text, path: "list").check(against: Self.keys, below: ["S"])
        } catch {
            found = "\(error)"
        }
        #expect(found == problem)
    }

    private func mutant(_ id: Int, line: Int, original: String = "a") -> Mutant {
        Mutant(
            id: id,
            file: "S/a.swift",
            line: line,
            change: .constant,
            original: original,
            replacement: "1",
            isInitial: false
        )
    }
}
