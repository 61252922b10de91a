import Testing

@testable import Mutate

@Suite("A file with its mutants")
struct MutatedFileTests {
    private static let source = "let x = a < b\nlet y = 1\n"

    private static func instrumented(_ wanted: Set<Int>) throws -> (text: String, mutants: [Mutant]) {
        let file = try #require(
            MutatedFile(path: "a.swift", text: source, firstID: 7, exclusions: [:])
        )
        #expect(file.numbered.all.map(\.id) == [7, 8])
        #expect(file.nextID == 9)
        return file.instrumented(nil, chosenOnly: false, where: wanted.contains)
    }

    @Test("Only the mutants that are wanted are behind a switch, each with its number among all")
    func wanted() throws {
        let (text, mutants) = try Self.instrumented([8])
        #expect(mutants.map(\.id) == [8])
        #expect(
            text == "let x = a < b\nlet y = (mutated(8) ? (2) : (1))\n\npublic import MutationSwitch\n"
        )
    }

    @Test("A file of which no mutant is wanted stays as it is")
    func unwanted() throws {
        #expect(try Self.instrumented([]).text == Self.source)
    }
}
