import LocatedYAML
import Testing

@Suite("JSON with positions, RFC 8259")
struct JSONParserTests {
    @Test("A value has the line and the column, in characters, at which it begins")
    func positions() throws {
        let node = try YAMLNode.parse(json: "{\"é\": 1,\n  \"b\": [true, \"x\"]}", file: "f.json")
        let list = try #require(node.value(of: "b")?.elements)
        #expect(node.value(of: "é")?.position.description == "f.json:1:7")
        #expect(list.map(\.position.description) == ["f.json:2:9", "f.json:2:15"])
    }

    @Test(
        "A text is decoded with its escapes",
        arguments: [
            (#""\u00fc""#, "ü"), (#""\ud83d\ude00""#, "😀"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
            (#""""#, ""), (#""ü""#, "ü"),
        ]
    )
    func texts(json: String, text: String) throws {
        #expect(try YAMLNode.parse(json: json, file: "f").scalarText == text)
    }

    @Test("A number in quotation marks is a text, and one without is both")
    func numbers() throws {
        let node = try YAMLNode.parse(json: "[1, \"1\", -0, 1.5e+3, null, \"null\"]", file: "f")
        let elements = try #require(node.elements)
        #expect(elements.map { Reader.integer().read($0, ProblemCollector()) } == [1, nil, 0, nil, nil, nil])
        #expect(elements.map(\.isNull) == [false, false, false, false, true, false])
    }

    @Test(
        "Malformed JSON is refused with its position",
        arguments: [
            ("", "f:1:1: found the end of the file, expected a value"),
            ("[1,]", "f:1:4: found \"]\", expected a value"),
            ("{\"a\" 1}", "f:1:6: found \"1\", expected \":\""),
            (
                "{\"a\": 1, \"a\": 2}",
                "f:1:10: found key \"a\" more than once in a map, expected each key once"
            ),
            ("{a: 1}", "f:1:2: found \"a\", expected a key in quotation marks"),
            ("[01]", "f:1:2: found \"01\", expected a JSON value"),
            ("[1.]", "f:1:2: found \"1.\", expected a JSON value"),
            ("[\n\"a", "f:2:3: found the end of the file, expected the closing quotation mark"),
            ("\"\\x\"", "f:1:3: found \"x\", expected one of \"\\/bfnrtu"),
            ("\"\\u12g4\"", "f:1:6: found \"g\", expected four hexadecimal digits"),
            ("[] []", "f:1:4: found \"[\", expected the end of the file"),
            ("'a'", "f:1:1: found \"'\", expected a value"),
        ]
    )
    func refusals(json: String, problem: String) {
        let error = #expect(throws: YAMLProblems.self) { try YAMLNode.parse(json: json, file: "f") }
        #expect(error?.description == problem)
    }

    @Test("Lists that are nested too deeply are refused without exhausting the stack")
    func depth() {
        let json = String(repeating: "[", count: 100_000)
        let error = #expect(throws: YAMLProblems.self) { try YAMLNode.parse(json: json, file: "f") }
        #expect(error?.description.contains("nested deeper") == true)
    }
}
