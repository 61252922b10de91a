import LocatedYAML
import Testing

@Suite("YAML with positions")
struct YAMLParserTests {
    @Test("A value has the line and column at which it begins")
    func positions() throws {
        let node = try YAMLNode.parse("a: 1\nb:\n  - x\n  - {c: y}\n", file: "f.yaml")
        let list = try #require(node.value(of: "b")?.elements)
        #expect(node.value(of: "a")?.position.description == "f.yaml:1:4")
        #expect(list[0].position.description == "f.yaml:3:5")
        #expect(list[1].value(of: "c")?.position.description == "f.yaml:4:9")
        #expect(list[1].pairs?.first?.keyPosition.description == "f.yaml:4:6")
    }

    @Test("A byte order mark is not a character of the first line")
    func mark() throws {
        let node = try YAMLNode.parse("\u{FEFF}a: b", file: "f")
        #expect(node.position.column == 1)
    }

    @Test("Columns count characters, not bytes")
    func columnsAreCharacters() throws {
        let node = try YAMLNode.parse("{é: 1, b: 2}", file: "f")
        #expect(node.value(of: "b")?.position.column == 11)
    }

    @Test("A quoted number is a text and a plain one is both")
    func quoting() throws {
        let node = try YAMLNode.parse("[60, '60', null, 'null', ~]", file: "f")
        let elements = try #require(node.elements)
        #expect(elements.map(\.scalarText) == ["60", "60", nil, "null", nil])
        #expect(elements.map(\.isNull) == [false, false, true, false, true])
        #expect(Reader.integer().read(elements[0], ProblemCollector()) == 60)
        #expect(Reader.integer().read(elements[1], ProblemCollector()) == nil)
    }

    @Test("An alias stands for the anchored value, and a merge key adds missing keys")
    func aliasesAndMerge() throws {
        let text = "base: &b {x: 1, y: 2}\nother: *b\nmerged: {<<: *b, y: 3}\nmany: {<<: [{z: 4}, *b]}\n"
        let node = try YAMLNode.parse(text, file: "f")
        #expect(node.value(of: "other")?.value(of: "y")?.scalarText == "2")
        #expect(node.value(of: "merged")?.value(of: "x")?.scalarText == "1")
        #expect(node.value(of: "merged")?.value(of: "y")?.scalarText == "3")
        #expect(node.value(of: "many")?.pairs?.map(\.key) == ["z", "x", "y"])
    }

    @Test(
        "Anything but one YAML document is refused with its position",
        arguments: [
            ("", "f:1:1: found an empty file, expected a map"),
            ("a: 1\nb: 2\na: 3\n", "f:1:1: found key \"a\" more than once in a map, expected each key once"),
            (
                "a: b: c\n",
                "f:1:5: found text that is not YAML (mapping values are not allowed in this context), expected YAML"
            ),
            ("a: *nobody\n", "f:1:4: found text that is not YAML (found undefined alias), expected YAML"),
            (
                "a: 1\n---\nb: 2\n",
                "f:2:1: found text that is not YAML (found another document), expected YAML"
            ),
            (
                "a: 1\nb: \u{1}\n",
                "f:2:4: found text that is not YAML (control characters are not allowed), expected YAML"
            ),
            ("{[1, 2]: 3}", "f:1:2: found a list as a key, expected text"),
            ("a: {<<: 1}", "f:1:9: found \"1\" to merge, expected a map or a list of maps"),
        ]
    )
    func refused(text: String, expected: String) {
        #expect(throws: YAMLProblems.self) { try YAMLNode.parse(text, file: "f") }
        #expect(problems(of: text) == expected)
    }

    @Test("An alias bomb is refused as too many values")
    func aliasBomb() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            let alias = "*a\(level - 1)"
            text += "a\(level): &a\(level) [\(Array(repeating: alias, count: 9).joined(separator: ", "))]\n"
        }
        #expect(problems(of: text).contains("more than 500000 values"))
        #expect(
            problems(of: text + "? *a12\n: 1\n").contains("109 aliases in a file with lists or maps as keys")
        )
        #expect(
            problems(of: text + "*a12 : 1\n").contains("109 aliases in a file with lists or maps as keys")
        )
    }

    @Test("Nesting deeper than 64 levels is refused, however it is written")
    func deepNesting() {
        let flow = String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
        let block = (0..<70).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        let endless = String(repeating: "[", count: 100_000)
        #expect(problems(of: flow).contains("nested deeper than 64"))
        #expect(problems(of: block).contains("nested deeper than 64"))
        #expect(problems(of: endless).contains("not YAML"))
    }

    @Test("A file of more than 4 MiB is refused unread")
    func largeFile() {
        #expect(
            problems(of: String(repeating: "#", count: (4 << 20) + 1)).contains("a file of 4194305 bytes")
        )
    }

    private func problems(of text: String) -> String {
        do throws(YAMLProblems) {
            _ = try YAMLNode.parse(text, file: "f")
            return "none"
        } catch {
            return error.description
        }
    }
}
