import Fetching
import Testing

@Suite("JSON values, RFC 8259")
struct JSONValueTests {
    @Test(
        "Texts are read as what they say",
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
        "What is not JSON is refused, with the place",
        arguments: [
            ("", 0), ("{\"a\":", 5), ("[1,]", 3), ("{a:1}", 1), ("01", 2), ("1.", 2), (".5", 0), ("+1", 0),
            ("nul", 0), ("[1] 2", 4), ("\"a", 0), ("\"\u{1}\"", 1), ("\"\\x\"", 2), ("[1 2]", 3),
            ("\"\\u12g4\"", 3),
            ("1e", 2), ("-", 1), ("{\"a\" 1}", 5), ("tru", 0), ("NaN", 0),
        ]
    )
    func refusal(text: String, offset: Int) {
        do throws(JSONProblem) {
            _ = try JSONValue(parsing: Array(text.utf8))
            Issue.record("\(text) must be refused")
        } catch {
            #expect(error.offset == offset)
        }
    }

    @Test("A million brackets are refused at the limit, and 512 levels are read")
    func depth() throws {
        let bombs = [
            String(repeating: "[", count: 1_000_000), String(repeating: "{\"a\":", count: 1_000_000),
        ]
        for bomb in bombs {
            do throws(JSONProblem) {
                _ = try JSONValue(parsing: Array(bomb.utf8))
                Issue.record("it must be refused")
            } catch {
                #expect(error.reason == "values are nested deeper than the limit of 512")
            }
        }
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        _ = try JSONValue(parsing: Array(deep.utf8))
    }

    @Test("Equal values have equal texts, members sorted by name")
    func texts() {
        let value: JSONValue = ["b": [1, 2.5, nil], "a": ["x": "q\"\n\u{1}", "t": true], "c": [:], "d": []]
        #expect(
            value.compactText
                == "{\"a\":{\"t\":true,\"x\":\"q\\\"\\n\\u0001\"},\"b\":[1,2.5,null],\"c\":{},\"d\":[]}"
        )
        let small: JSONValue = ["b": [1], "a": 2.0]
        #expect(small.prettyText == "{\n  \"a\" : 2,\n  \"b\" : [\n    1\n  ]\n}")
        #expect(JSONValue.number(.infinity).compactText == "null")
    }

    @Test(
        "A shape says what is wrong with a value, and where",
        arguments: [
            (
                JSONShape.object(["id": .integer, "tags": .array(of: .string)]), ["id": 1, "tags": ["a"]], nil
            ),
            (.object(["id": .integer]), ["id": "1"], "$.id is not an integer"),
            (.object(["id": .integer]), [:], "$.id is missing"),
            (
                .object(["a": .array(of: .object(["b": .bool]))]), ["a": [["b": true], ["b": 1]]],
                "$.a[1].b is not true or false"
            ),
            (.object(["a": .optional(.number)]), ["a": nil], nil),
            (.object(["a": .optional(.number)]), [:], nil),
            (.number, 1, nil), (.integer, 1.5, "$ is not an integer"), (.anything, nil, nil),
            (.object([:]), [1], "$ is not an object"),
        ] as [(JSONShape, JSONValue, String?)]
    )
    func shapes(shape: JSONShape, value: JSONValue, problem: String?) {
        #expect(shape.problem(with: value) == problem)
    }
}
