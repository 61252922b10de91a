import Testing

@testable import Mutate

@Suite("The draw of a sample")
struct MutantDrawTests {
    private let mutants = (1...100).map { id in
        Mutant(
            id: id,
            file: "a.swift",
            line: id,
            change: .constant,
            original: "\(id)",
            replacement: "0",
            isInitial: false
        )
    }

    private func draw(_ arguments: String...) throws -> MutantDraw { try MutantDraw.parse(arguments) }

    @Test("Without a sample all mutants are run, in an order that the seed determines")
    func order() throws {
        let (first, second) = (try draw("--seed", "1"), try draw("--seed", "2"))
        #expect(Set(first.drawn(from: mutants).map(\.id)) == Set(1...100))
        #expect(first.drawn(from: mutants).map(\.id) == first.drawn(from: mutants.reversed()).map(\.id))
        #expect(first.drawn(from: mutants).map(\.id) != second.drawn(from: mutants).map(\.id))
    }

    @Test("A mutant that is missing is replaced by one other, and the rest of the sample stays")
    func replaced() throws {
        let draw = try draw("--sample", "10")
        let before = draw.drawn(from: mutants).map(\.id)
        let gone = try #require(before.first)
        let after = draw.drawn(from: mutants.filter { $0.id != gone }).map(\.id)
        #expect(before.count == 10)
        #expect(after.count == 10)
        #expect(after.prefix(9) == before.dropFirst())
    }
}
