import Fetching
import JSON
import Testing

@Suite("Shapes of JSON values")
struct JSONShapeTests {
    @Test(
        "A shape reports the first mismatch and its path",
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

    @Test("The compact text of a request's parameters has sorted members, and the readable one has spaces")
    func texts() {
        let value: JSONValue = ["b": [1], "a": 2.0]
        #expect(value.compactText == "{\"a\":2,\"b\":[1]}")
        #expect(value.prettyText == "{\n  \"a\" : 2,\n  \"b\" : [\n    1\n  ]\n}")
    }
}
