import LocatedYAML
import OriginScript
import Testing

@Suite("Routes in a script")
struct RouteDecodingTests {
    @Test("Routes select the requests of their answers")
    func routes() throws {
        let routes = try decode(
            """
            - {path: /a, method: GET, query: x=1, label: first, answer: {status: 201}}
            - {path: /b/*, method: [PUT, POST], answers: [{status: 202}, {status: 203}]}
            - {path: '*', answer: {}}
            """
        )
        #expect(routes.map(\.label) == ["first", "2", "3"])
        #expect(routes.map(\.path) == [.exact("/a"), .prefix("/b/"), .any])
        #expect(routes.map(\.methods) == [["GET"], ["PUT", "POST"], []])
        #expect(routes.map(\.query) == ["x=1", nil, nil])
        #expect(routes.map { $0.answers.map(\.status) } == [[201], [202, 203], [200]])
    }

    @Test(
        "Unsupported keys and values of a script are refused",
        arguments: [
            ("[]", "f:1:1: found an empty list, expected a list of routes"),
            ("{}", "f:1:1: found a map, expected a list of routes"),
            ("[{path: /a}]", "f:1:2: found a route without an answer, expected one of"),
            (
                "[{answer: {}, answers: [{}]}]",
                "f:1:2: found both \"answer\" and \"answers\", expected one of"
            ),
            ("[{answers: []}]", "f:1:12: found an empty list, expected at least one answer"),
            ("[{path: a, answer: {}}]", "f:1:9: found \"a\", expected a path that begins with"),
            ("[{path: /a?x, answer: {}}]", "f:1:9: found \"/a?x\", expected a path that begins with"),
            ("[{query: '?x', answer: {}}]", "f:1:10: found \"?x\", expected a query without"),
            ("[{method: G T, answer: {}}]", "f:1:11: found \"G T\", expected a method"),
            (
                "[{path: '/a/{}', answer: {}}]",
                "f:1:9: found \"/a/{}\", expected one {name} or * in a segment"
            ),
            ("[{query: {a: {like: b}}, answer: {}}]", "f:1:15: found unknown key \"like\" in a condition"),
            (
                "[{query: {a: {}}, answer: {}}]",
                "f:1:14: found 0 conditions on one value, expected one of not"
            ),
            ("[{query: {a: {matches: '('}}, answer: {}}]", "f:1:24: found \"(\", expected a pattern of"),
            ("[{fields: {a b: c}, answer: {}}]", "f:1:12: found \"a b\", expected a field name"),
            ("[{fields: [a], answer: {}}]", "f:1:11: found a list, expected a map of names to text"),
            (
                "[{body: {json: {user: a}}, answer: {}}]",
                "f:1:17: found \"user\", expected a path such as $.user"
            ),
            ("[{body: {json: a}, answer: {}}]", "f:1:16: found \"a\", expected a map of paths such as"),
            ("[{priority: 1e3, answer: {}}]", "f:1:13: found \"1e3\", expected a whole number from -1000"),
            ("[{after: 2s, until: 1s, answer: {}}]", "f:1:21: found an end that is not after the start"),
            ("[{until: -1s, answer: {}}]", "f:1:10: found \"-1s\", expected a duration"),
            ("[{when: [a], answer: {}}]", "f:1:9: found a list, expected a map of machines to states"),
            ("[{then: {a: [b]}, answer: {}}]", "f:1:13: found a list, expected text"),
            (
                "[{auth: {realm: a}, answer: {}}]",
                "f:1:9: found credentials without \"users\", expected \"users\""
            ),
            (
                "[{auth: {users: {'a:b': c}}, answer: {}}]",
                "f:1:18: found \"a:b\", expected a user without a colon"
            ),
            (
                "[{auth: {users: {}}, answer: {}}]",
                "f:1:17: found a map, expected a map of users to passwords"
            ),
            ("[{loop: 1, answer: {}}]", "f:1:9: found \"1\", expected true or false"),
            ("[{label: all, answer: {}}]", "f:1:10: found \"all\", expected a label other than \"all\""),
            (
                "[{label: a, answer: {}}, {label: a, answer: {}}]",
                "f:1:34: found label \"a\" of another route, expected a unique label"
            ),
        ]
    )
    func refused(text: String, expected: String) throws {
        let problems = ProblemCollector()
        _ = Route.decodeAll(try YAMLNode.parse(text, file: "f"), problems)
        #expect(problems.problems.count == 1)
        #expect(problems.problems.first?.description.hasPrefix(expected) == true, "\(problems.problems)")
    }

    private func decode(_ text: String) throws -> [Route] {
        let problems = ProblemCollector()
        let routes = Route.decodeAll(try YAMLNode.parse(text, file: "f"), problems)
        try problems.throwIfAny()
        return try #require(routes)
    }
}
