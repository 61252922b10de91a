import JSON
import Testing

@Suite("JSON values, RFC 8259")
struct JSONValueTests {
    @Test(
        "Texts are decoded to their values",
        arguments: [
            ("{}", [:]), (" [1, -2.5e1, true,false , null]\n", [1, -25.0, true, false, nil]), ("\"\"", ""),
            ("\"\\u00e9\\n\\/\\ud83d\\ude00\"", "é\n/😀"), ("{\"a\":{\"b\":[{}]}}", ["a": ["b": [[:]]]]),
            ("9223372036854775807", 9_223_372_036_854_775_807),
            ("9223372036854775808", 9223372036854775808.0),
            ("{\"a\":1,\"a\":2}", ["a": 2]), ("\u{FEFF}7", 7), ("\"\\ud800x\"", "\u{FFFD}x"), ("-0", 0),
        ] as [(String, JSONValue)]
    )
    func reading(text: String, expected: JSONValue) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == expected)
    }

    @Test(
        "Malformed JSON is refused, with the position",
        arguments: [
            ("", "1:1: found the end of the file, expected a value"),
            ("{\"a\":", "1:6: found the end of the file, expected a value"),
            ("[1,]", "1:4: found \"]\", expected a value"),
            ("{a:1}", "1:2: found \"a\", expected a key in quotation marks"),
            ("01", "1:1: found \"01\", expected a JSON value"),
            ("1.", "1:1: found \"1.\", expected a JSON value"),
            (".5", "1:1: found \".5\", expected a JSON value"),
            ("+1", "1:1: found \"+1\", expected a JSON value"),
            ("1e", "1:1: found \"1e\", expected a JSON value"),
            ("-", "1:1: found \"-\", expected a JSON value"),
            ("nul", "1:1: found \"nul\", expected a JSON value"),
            ("NaN", "1:1: found \"NaN\", expected a JSON value"),
            ("[1]\n 2", "2:2: found \"2\", expected the end of the file"),
            ("\"é", "1:3: found the end of the file, expected the closing quotation mark"),
            ("\"\u{1}\"", "1:2: found \"\\u0001\", expected \"\\u\" and four digits for it"),
            ("\"\\x\"", "1:3: found \"x\", expected one of \"\\/bfnrtu"),
            ("[1 \"2\"]", "1:4: found \"\\\"\", expected \",\" or \"]\""),
            ("{\"a\" 1}", "1:6: found \"1\", expected \":\""),
            ("{\"a\":1 2}", "1:8: found \"2\", expected \",\" or \"}\""),
            ("\"\\u12g4\"", "1:6: found \"g\", expected four hexadecimal digits"),
        ]
    )
    func refusal(text: String, problem: String) {
        let error = #expect(throws: JSONProblem.self) { try JSONValue(parsing: Array(text.utf8)) }
        #expect(error?.description == problem)
    }

    @Test("A string that is not UTF-8 is refused where it begins")
    func encoding() {
        let bytes = Array("[\"".utf8) + [0xC3, 0x28] + Array("\"]".utf8)
        let error = #expect(throws: JSONProblem.self) { try JSONValue(parsing: bytes) }
        #expect(error?.description == "1:2: found bytes that are not UTF-8, expected UTF-8 text")
        #expect(error?.place.offset == 1)
    }

    @Test(
        "A million brackets are refused at the limit",
        arguments: ["[", "{\"a\":"]
    )
    func depth(opening: String) {
        let bomb = Array(String(repeating: opening, count: 1_000_000).utf8)
        let error = #expect(throws: JSONProblem.self) { try JSONValue(parsing: bomb) }
        #expect(error?.found == "lists and maps nested deeper than 512")
    }

    @Test("512 levels are accepted, 513 are not, and another limit can be set")
    func levels() throws {
        func nested(_ levels: Int) -> [UInt8] {
            Array((String(repeating: "[", count: levels) + String(repeating: "]", count: levels)).utf8)
        }
        _ = try JSONValue(parsing: nested(512))
        #expect(throws: JSONProblem.self) { try JSONValue(parsing: nested(513)) }
        #expect(throws: JSONProblem.self) { try JSONValue(parsing: nested(3), depthLimit: 2) }
    }

    @Test("A value is decoded from every layout", arguments: [JSONLayout.compact, .indented, .sorted])
    func layouts(layout: JSONLayout) throws {
        let value: JSONValue = [
            "b": [1, 2.5, nil, [], [:]], "a": ["x": "q\"\n\u{1}", "t": true], "": false,
        ]
        #expect(try JSONValue(parsing: Array(value.written(layout).utf8)) == value)
    }

    @Test("Members are written in order, or sorted, and then the last of a repeated name is written")
    func order() throws {
        let value = try JSONValue(parsing: Array("{\"b\": [1, {}, []], \"a\": 1.50, \"b\": null}".utf8))
        #expect(value.written() == "{\"b\":[1,{},[]],\"a\":1.50,\"b\":null}")
        #expect(value.written(.sorted) == "{\"a\":1.50,\"b\":null}")
        #expect(
            value.written(.indented)
                == "{\n  \"b\": [\n    1,\n    {},\n    []\n  ],\n  \"a\": 1.50,\n  \"b\": null\n}"
        )
    }

    @Test("Characters that would end a line, or be invisible, are escaped")
    func escapes() {
        #expect(
            JSONValue.quoted("\"\\/\n\r\t\u{8}\u{1F}\u{7F}\u{2028}\u{2029}é😀")
                == "\"\\\"\\\\/\\n\\r\\t\\u0008\\u001f\\u007f\\u2028\\u2029é😀\""
        )
    }

    @Test("Objects are equal whatever the order of their members")
    func equality() throws {
        let one: JSONValue = ["a": 1, "b": 2]
        let other: JSONValue = ["b": 2, "a": 1]
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(one != ["a": 1] && one != ["a": 1, "b": 3])
        #expect(JSONObject(["b": 2, "a": 1] as [String: JSONValue]).members.map(\.name) == ["a", "b"])
    }
}

@Suite("JSON numbers, RFC 8259 §6")
struct JSONNumberTests {
    @Test(
        "A number has no more digits than requested, and no trailing zeros",
        arguments: [
            (0, 3, "0"), (1, 3, "1"), (1.5, 3, "1.5"), (0.0005, 3, "0.001"), (-0.0004, 3, "0"),
            (-12.3456, 3, "-12.346"), (1e-7, 6, "0"), (1234.5, 0, "1235"), (1e300, 3, "1e+300"),
            (10, 0, "10"),
            (100.25, 6, "100.25"),
        ] as [(Double, Int, String)]
    )
    func places(number: Double, places: Int, text: String) {
        #expect(JSONNumber(number, places: places)?.text == text)
    }

    @Test("A value that is not a number cannot be written", arguments: [Double.infinity, -.infinity, .nan])
    func infinity(number: Double) {
        #expect(JSONNumber(number) == nil && JSONNumber(number, places: 3) == nil)
        #expect(JSONValue.number(number).written() == "null")
        #expect(JSONValue.decimal(number, places: 3).written() == "null")
    }

    @Test(
        "Only numbers by the grammar of JSON are accepted",
        arguments: [
            ("0", true), ("-0.5e+3", true), ("1E5", true), ("10", true), ("+1", false), (".5", false),
            ("5.", false),
            ("01", false), ("0x1F", false), ("1e", false), ("", false), ("-", false), ("1 ", false),
            ("1_0", false),
        ]
    )
    func grammar(text: String, isNumber: Bool) {
        #expect((JSONNumber(text)?.text == text) == isNumber)
    }

    @Test(
        "Numbers are equal if their values are, however they are written",
        arguments: [("1", "1.0", true), ("1e2", "100", true), ("0.10", "0.1", true), ("1", "2", false)]
    )
    func equality(left: String, right: String, areEqual: Bool) {
        #expect((JSONNumber(left) == JSONNumber(right)) == areEqual)
        if areEqual { #expect(JSONNumber(left).hashValue == JSONNumber(right).hashValue) }
    }

    @Test("Only a number without fraction or exponent is an integer")
    func integers() {
        #expect(JSONNumber("9223372036854775807")?.integer == .max)
        #expect(JSONNumber("9223372036854775808")?.integer == nil)
        #expect(JSONNumber("9223372036854775808")?.double == 9_223_372_036_854_775_808)
        #expect(JSONNumber("1.0")?.integer == nil && JSONNumber("1e400")?.double == .infinity)
    }
}
