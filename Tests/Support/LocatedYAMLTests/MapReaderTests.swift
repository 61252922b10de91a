import LocatedYAML
import Testing

private enum PetKey: String, MapKey {
    case name, age, weight, colours, kind
    static let mapName = "a pet"
}

private enum Kind: String, CaseIterable {
    case cat, dog
}

@Suite("Decoding maps by known keys")
struct MapReaderTests {
    @Test("Known keys are decoded with their types")
    func reads() throws {
        let (reader, problems) = try read("{name: Tom, age: 3, colours: [grey, blue], kind: cat}")
        #expect(reader.required(.name, .text) == "Tom")
        #expect(reader.optional(.age, .integer(in: 0...30)) == 3)
        #expect(reader.optional(.colours, Reader.text.list()) == ["grey", "blue"])
        #expect(reader.optional(.kind, Reader<Kind>.choice) == .cat)
        #expect(reader.optional(.weight, .number) == nil)
        #expect(problems.problems.isEmpty)
    }

    @Test(
        "Each wrong part of a map is a separate problem",
        arguments: [
            ("{nmae: Tom}", "f:1:2: found unknown key \"nmae\" in a pet, expected \"name\""),
            (
                "{owner: Ann}",
                "f:1:2: found unknown key \"owner\" in a pet, expected one of name, age, weight, colours, kind"
            ),
            ("{age: three}", "f:1:7: found \"three\", expected a whole number from 0 to 30"),
            ("{age: 31}", "f:1:7: found \"31\", expected a whole number from 0 to 30"),
            ("{age: '3'}", "f:1:7: found \"3\", expected a whole number from 0 to 30"),
            ("{age: [3]}", "f:1:7: found a list, expected a whole number from 0 to 30"),
            ("{name: }", "f:1:8: found nothing, expected text"),
            ("{name: {a: b}}", "f:1:8: found a map, expected text"),
            ("{colours: grey}", "f:1:11: found \"grey\", expected a list"),
            ("{kind: bird}", "f:1:8: found \"bird\", expected one of cat, dog"),
            ("{kind: dgo}", "f:1:8: found \"dgo\", expected \"dog\""),
            ("{weight: 1e3}", "f:1:10: found \"1e3\", expected a number"),
        ]
    )
    func refuses(text: String, expected: String) throws {
        let (reader, problems) = try read(text)
        _ = reader.optional(.name, .text)
        _ = reader.optional(.age, .integer(in: 0...30))
        _ = reader.optional(.weight, .number)
        _ = reader.optional(.colours, Reader.text.list())
        _ = reader.optional(.kind, Reader<Kind>.choice)
        #expect(problems.problems.map(\.description) == [expected])
    }

    @Test("A missing key is reported where the map begins")
    func missing() throws {
        let (reader, problems) = try read("{age: 3}")
        #expect(reader.required(.name, .text) == nil)
        #expect(
            problems.problems.map(\.description) == ["f:1:1: found a pet without \"name\", expected \"name\""]
        )
    }

    @Test("A value that is not a map is refused as a whole")
    func notAMap() throws {
        let problems = ProblemCollector()
        let reader = MapReader<PetKey>(try YAMLNode.parse("[a]", file: "f"), problems)
        #expect(reader == nil)
        #expect(problems.problems.map(\.description) == ["f:1:1: found a list, expected a pet, as a map"])
    }

    @Test("Problems are thrown sorted by position and without repetition")
    func sorted() throws {
        let later = Problem(at: Position(file: "f", line: 10, column: 1), found: "b", expected: "c")
        let earlier = Problem(at: Position(file: "f", line: 9, column: 5), found: "z", expected: "c")
        let error = YAMLProblems([later, earlier, later])
        #expect(error.description == "f:9:5: found z, expected c\nf:10:1: found b, expected c")
    }

    private func read(_ text: String) throws -> (MapReader<PetKey>, ProblemCollector) {
        let problems = ProblemCollector()
        let reader = MapReader<PetKey>(try YAMLNode.parse(text, file: "f"), problems)
        return (try #require(reader), problems)
    }
}
