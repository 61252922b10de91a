import Foundation
import Testing

@testable import Mutate

@Suite("The rules that tests name")
struct RuleTestTests {
    @Test("A test has the rules of its trait and of its suites, and its function's name")
    func rules() {
        let source = """
            @Suite("A", .checks("a.suite"))
            struct A {
                @Test("one", .checks("a.one", "a.two"), arguments: [1])
                func one(number: Int) {}
                @Test("two") func two() {}
                func helper() {}
            }
            extension A {
                struct B {
                    @Test(.checks("b")) func three() {}
                    @Test("no rule") func four() {}
                }
            }
            """
        let tests = RuleTest.all(in: source, target: "T")
        #expect(tests.map(\.name) == ["T.A/one", "T.A/two", "T.A/B/three"])
        #expect(tests.map(\.rules) == [["a.suite", "a.one", "a.two"], ["a.suite"], ["b"]])
        #expect(tests.first?.filter == "^T\\.A/one\\(")
    }
}

@Suite("Verdicts that are kept in a file")
struct VerdictFileTests {
    @Test("A run of the same mutants is continued, another one begins anew")
    func continued() throws {
        let path = "/tmp/verdicts-\(UInt64.random(in: 0 ... .max))"
        defer { unlink(path) }
        let (first, second) = (mutant(1), mutant(2))
        var file = try VerdictFile(path, of: [first, second], continuing: false)
        try file.add(first, .byScenarios("s [private]"))
        try file.add(second, .notRun("no worker"))
        file = try VerdictFile(path, of: [first, second], continuing: true)
        #expect(file.known == [1: .byScenarios("s [private]")])
        file = try VerdictFile(path, of: [second], continuing: true)
        #expect(file.known.isEmpty)
    }

    private func mutant(_ id: Int) -> Mutant {
        Mutant(
            id: id,
            file: "a.swift",
            line: id,
            change: .constant,
            original: "1",
            replacement: "1 + 1",
            isInitial: false
        )
    }
}
