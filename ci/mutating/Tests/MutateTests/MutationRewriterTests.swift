import SwiftOperators
import SwiftParser
import SwiftSyntax
import Testing

@testable import Mutate

@Suite("Mutants of a file")
struct MutationRewriterTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let source: String
        let changes: [String]
        var testDescription: String { source }

        init(_ source: String, _ changes: String...) { (self.source, self.changes) = (source, changes) }
    }

    static let rows = [
        Row("let x = a < b", "a < b → a <= b"),
        Row("let x = a == b", "a == b → a != b"),
        Row("let x = a && b", "a && b → a || b", "a && b → a", "a && b → b"),
        Row("let x = a ?? b", "a ?? b → b"),
        Row("let x = c ? a : b", "c ? a : b → c ? b : a"),
        Row("let x = min(a, b)", "min(a, b) → max(a, b)"),
        Row("let x = 60", "60 → 61"),
        Row("let x = 0xFF_FF", "0xFF_FF → 0x10000"),
        Row("func f() { if a, let b = c { g() } }", "remove g()", "a → true", "a → !(a)"),
        Row("func f() { guard a == b else { return } }", "a == b → a != b", "a == b → true"),
        Row("func f() { a = b; g() }", "remove a = b", "remove g()"),
        // What the compiler insists on, what is only checked, and tables.
        Row("init() { a = b }"),
        Row("func f() { let a: Int; a = b; g() }", "remove g()"),
        Row("func f() -> Int { g() }"),
        Row("enum E: Int { case a = 1 }"),
        Row("func f() { precondition(a); g() }", "remove g()"),
        Row("let x = [1, 2, 3, 4, 5]"),
        Row("func f() { while a { } }"),
    ]

    @Test("Each construct has its mutants, and no others", arguments: rows)
    func mutants(_ row: Row) {
        let (mutants, _) = rewrite(row.source)
        #expect(mutants.map(\.summary) == row.changes)
    }

    @Test("Mutants of operands remain in the original, not in the alternatives, and no line moves")
    func nesting() {
        let (mutants, text) = rewrite("let x = a || { b }()\n    || b < c // why\nlet y = 1")
        #expect(mutants.map(\.line) == [1, 1, 1, 2, 3])
        #expect(mutants.map(\.id) == Array(1...5))
        #expect(
            text.split(separator: "\n").dropFirst().joined(separator: "\n")
                == "    || (mutated(4) ? ((b <= c) as Bool) : ((b < c) as Bool)) // why\nlet y = (mutated(5) ? (2) : (1))"
        )
    }

    @Test("An alternative is on one line, where the original takes several")
    func severalLines() {
        let (mutants, text) = rewrite("let x =\n    a\n    && b")
        #expect(mutants.map(\.summary) == ["a && b → a || b", "a && b → a", "a && b → b"])
        #expect(
            text
                == "let x =\n    (mutated(1) ? ((a || b) as Bool) : mutated(2) ? ((a) as Bool) : mutated(3) ? ((b) as Bool) : ((a\n    && b) as Bool))"
        )
    }

    @Test("An excluded line has no mutant, and the others keep their numbers")
    func excluded() {
        let (mutants, _) = rewrite("let x = 1\nlet y = 2", excluding: [1: .line])
        #expect(mutants.map(\.line) == [2])
        #expect(mutants.map(\.id) == [2])
    }

    @Test(
        "A line loses the mutants of arithmetic first, then the others, then its statement does",
        arguments: [
            (nil, ["a < b → a <= b", "1 → 2", "2 → 3"]), (Exclusion.others, ["a < b → a <= b", "2 → 3"]),
            (.line, ["2 → 3"]), (.statement, []),
        ] as [(Exclusion?, [String])]
    )
    func exclusions(exclusion: Exclusion?, changes: [String]) {
        let source = "func f() {\n    let x = (a < b, 1,\n        2)\n}"
        let (mutants, _) = rewrite(source, excluding: exclusion.map { [2: $0] } ?? [:])
        #expect(mutants.map(\.summary) == changes)
    }

    @Test("A written change is made wherever its expression is, and the other mutants keep their numbers")
    func written() throws {
        let change = try #require(WrittenChange("a.swift: f(a) → g(a)", of: "a.swift", id: 7))
        let (mutants, text) = rewrite(
            "let x = f(a)\nlet y = [1, 2, 3, 4, f(a)]\nlet z = 1",
            written: [change]
        )
        #expect(mutants.map(\.id) == [7, 7, 1])
        #expect(mutants.map(\.summary) == ["f(a) → g(a)", "f(a) → g(a)", "1 → 2"])
        let switched = "(mutated(7) ? (g(a)) : (f(a)))"
        #expect(
            text == "let x = \(switched)\nlet y = [1, 2, 3, 4, \(switched)]\nlet z = (mutated(1) ? (2) : (1))"
        )
    }

    @Test("A written change of several lines is compared without their indentation")
    func writtenLines() throws {
        let change = try #require(WrittenChange("a.swift: f( a ) → b", of: "a.swift", id: 7))
        let (mutants, _) = rewrite("let x = f(\n        a\n    )", written: [change])
        #expect(mutants.map(\.key) == ["a.swift: f( a ) → b"])
    }

    @Test("Initial values that are computed once are told apart from what is executed each time")
    func initialValues() {
        let source = """
            let a = 1
            struct S {
                static let b = 2
                lazy var c = 3
                var d = 4
                static var e: Int { 5 }
                func f() { let g = 6 }
            }
            """
        let (mutants, _) = rewrite(source)
        #expect(mutants.filter(\.isInitial).map(\.original) == ["1", "2", "3"])
        #expect(mutants.filter { !$0.isInitial }.map(\.original) == ["4", "5", "6"])
    }

    private func rewrite(
        _ source: String,
        excluding lines: [Int: Exclusion] = [:],
        written: [WrittenChange] = []
    ) -> ([Mutant], String) {
        let folded = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
        let tree = folded.cast(SourceFileSyntax.self)
        let rewriter = MutationRewriter(
            file: "a.swift",
            tree: tree,
            firstID: 1,
            exclusions: lines,
            written: written
        )
        let text = rewriter.rewrite(tree).description
        return (rewriter.mutants, text)
    }
}
