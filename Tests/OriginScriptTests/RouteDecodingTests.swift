import LocatedYAML
import OriginScript
import Testing

@Suite("Routes in a script")
struct RouteDecodingTests {
    @Test("Routes say for which requests their answers are")
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
        "What a script cannot say is refused",
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
            ("[{label: all, answer: {}}]", "f:1:10: found \"all\", expected a label other than \"all\""),
            (
                "[{label: a, answer: {}}, {label: a, answer: {}}]",
                "f:1:34: found label \"a\" of another route, expected a label of its own"
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
