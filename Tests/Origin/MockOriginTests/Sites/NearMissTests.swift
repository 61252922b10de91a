import HTTPServing
import LocatedYAML
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Near misses")
struct NearMissTests {
    private func script(_ text: String) throws -> Script {
        let problems = ProblemCollector()
        let routes = Route.decodeAll(try YAMLNode.parse(text, file: "f"), problems)
        try problems.throwIfAny()
        return Script(try #require(routes))
    }

    private func nearest(_ text: String, _ target: String, body: String = "", at seconds: Double = 0) throws
        -> [NearMiss]
    {
        let request = ServedRequest(method: "GET", target: target, body: Array(body.utf8))
        return NearMiss.nearest(
            to: RoutedRequest(request),
            in: try script(text),
            elapsedSeconds: seconds
        )
    }

    @Test(
        "Each condition that does not hold is a difference, and no other",
        arguments: [
            ("path: /b", "/b", []), ("path: /b", "/%62", []),
            ("path: /b", "/a", ["path is /a, expected /b"]),
            ("path: /b/*", "/b/c", []), ("path: /b/*", "/%62/c", []),
            ("path: /b/*", "/c", ["path is /c, expected /b/*"]),
            ("path: '/b/{x}'", "/b/c", []), ("path: '/b/{x}'", "/b", ["path is /b, expected /b/{x}"]),
            ("method: [PUT, POST]", "/", ["method is GET, expected PUT or POST"]),
            ("query: a=1", "/?a=1", []), ("query: a=1", "/?a=2", ["query is \"a=2\", expected \"a=1\""]),
            ("query: a=1", "/", ["query is none, expected \"a=1\""]), ("query: ''", "/", []),
            ("query: absent", "/", []), ("query: absent", "/?a", ["query is \"a\", expected none"]),
            ("query: {a: '1'}", "/?a=2", ["query parameter a is \"2\", expected \"1\""]),
            ("query: {a: present}", "/", ["query parameter a is missing, expected any value"]),
            ("fields: {X: '1'}", "/", ["field X is missing, expected \"1\""]),
            ("body: {contains: y}", "/", ["content is \"text\", expected text that contains \"y\""]),
            ("body: text", "/", []),
            ("body: {json: {$.a: x}}", "/", ["JSON value $['a'] is missing, expected \"x\""]),
            ("body: {form: {a: x}}", "/", ["form value a is missing, expected \"x\""]),
            ("body: {parts: {a: x}}", "/", ["part a is missing, expected \"x\""]),
            ("query: {a: x}", "/?a=1&a=2", ["query parameter a is \"1, 2\", expected \"x\""]),
            ("path: /b", "/%zz", ["path is /%zz, expected /b"]), ("method: GET", "/", []),
            ("after: 9500ms", "/", []),
            (
                "after: 9501ms", "/",
                [
                    "the moment is 9 seconds after the start, expected one from 9.501 seconds"
                ]
            ),
            (
                "until: 9500ms", "/",
                [
                    "the moment is 9 seconds after the start, expected one until 9.5 seconds"
                ]
            ), ("until: 9501ms", "/", []),
            (
                "when: {m: on, b: off}", "/",
                [
                    "state of b is start, expected off", "state of m is start, expected on",
                ]
            ),
            ("after: 9s, until: 10s", "/", []),
            (
                "after: 10s, until: 20s", "/",
                ["the moment is 9 seconds after the start, expected one from 10.0 seconds until 20.0 seconds"]
            ),
            ("when: {m: on}", "/", ["state of m is start, expected on"]), ("when: {m: start}", "/", []),
            (
                "method: PUT, query: absent", "/?",
                ["method is GET, expected PUT", "query is \"\", expected none"]
            ),
        ] as [(String, String, [String])]
    )
    func differences(conditions: String, target: String, expected: [String]) throws {
        let nearest = try nearest("[{\(conditions), answer: {}}]", target, body: "text", at: 9.5)
        #expect(nearest.map(\.differences) == [expected])
    }

    @Test("The three nearest are given: the fewest differences, then the most similar path, then the order")
    func order() throws {
        let text = """
            - {label: far, path: /x/y/z, answer: {}}
            - {label: similar, path: /orders/1, answer: {}}
            - {label: same, path: /orders/2, method: PUT, answer: {}}
            - {label: beside, path: /orbit/1, answer: {}}
            - {label: similar too, path: /orders/3, answer: {}}
            """
        #expect(try nearest(text, "/orders/2").map(\.label) == ["same", "similar", "similar too"])
    }

    @Test("A segment that a pattern matches is as near as an equal one", arguments: ["{id}", "*"])
    func patterns(segment: String) throws {
        let text = """
            - {label: shares more, path: /users/7/q/r, answer: {}}
            - {label: matches more, path: '/users/\(segment)/posts', answer: {}}
            """
        #expect(try nearest(text, "/users/7/post").first?.label == "matches more")
    }

    @Test("A segment that one of the paths lacks is as far apart as one that differs")
    func lengths() throws {
        let text = "[{label: shorter, path: /a, answer: {}}, {label: other, path: /a/b/x, answer: {}}]"
        #expect(try nearest(text, "/a/b/c").map(\.label) == ["other", "shorter"])
        let longer = "[{label: longer, path: /a/b/c, answer: {}}, {label: other, path: /x, answer: {}}]"
        #expect(try nearest(longer, "/a").map(\.label) == ["other", "longer"])
    }

    @Test("A parameter of a path is as near as an equal segment")
    func parameters() throws {
        let text =
            "[{label: other, path: /a/x/x, answer: {}}, {label: template, path: '/a/{x}/c', answer: {}}]"
        #expect(try nearest(text, "/a/b/d").map(\.label) == ["template", "other"])
    }
}
