import HTTPServing
import LocatedYAML
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Conditions, priorities, times and states of routes")
struct ScriptMatchingTests {
    private func script(_ text: String) throws -> Script {
        let problems = ProblemCollector()
        let routes = Route.decodeAll(try YAMLNode.parse(text, file: "f"), problems)
        try problems.throwIfAny()
        return Script(try #require(routes))
    }

    private func ask(
        _ script: inout Script,
        _ target: String,
        method: String = "GET",
        fields: [ServedField] = [],
        body: String = "",
        at seconds: Double = 0
    ) -> String? {
        let request = ServedRequest(method: method, target: target, fields: fields, body: Array(body.utf8))
        let selection = script.next(RoutedRequest(request), elapsedSeconds: seconds)
        guard case .text(let text) = selection?.answer.body else { return nil }
        return text
    }

    @Test("JSON content is compared if it has at most 256 levels", arguments: [(255, true), (256, false)])
    func depth(arrays: Int, isMatch: Bool) throws {
        var script = try script("[{body: {json: {$.a: present}}, answer: {body: matched}}]")
        let content = String(repeating: "[", count: arrays) + String(repeating: "]", count: arrays)
        #expect(ask(&script, "/", body: "{\"a\":\(content)}") == (isMatch ? "matched" : nil))
    }

    @Test(
        "A route matches by path, query, fields and content",
        arguments: [
            ("{path: '/u/{id}'}", "/u/7", "", "", true), ("{path: '/u/{id}'}", "/u/a%2Fb", "", "", true),
            ("{path: '/u/{id}'}", "/u//7", "", "", false), ("{path: '/**'}", "/u/7", "", "", true),
            ("{path: '/{u}'}", "/u/7", "", "", false), ("{path: '/u/{id}'}", "/u/", "", "", false),
            ("{path: '/f/**'}", "/f/a/b", "", "", true),
            ("{query: absent}", "/", "", "", true), ("{query: absent}", "/?", "", "", false),
            ("{query: absent}", "/?absent", "", "", false), ("{query: 'absent'}", "/?absent", "", "", true),
            ("{query: ''}", "/?", "", "", true), ("{query: ''}", "/", "", "", true),
            ("{query: {q: present}}", "/?q=", "", "", true), ("{query: {q: '%zz'}}", "/?q=%zz", "", "", true),
            ("{query: {q: present}}", "/?p=1", "", "", false),
            ("{query: {q: a b}}", "/?x=1&q=a+b", "", "", true),
            ("{query: {q: absent}}", "/?q=1", "", "", false),
            ("{query: {q: {not: x}}}", "/?q=x&q=y", "", "", false),
            ("{query: {q: {not: x}}}", "/", "", "", true),
            ("{query: {n: {matches: '[0-9]+'}}}", "/?n=12", "", "", true),
            ("{query: {n: {matches: '[0-9]+'}}}", "/?n=12x", "", "", false),
            ("{fields: {Accept: {contains: json}}}", "/", "accept: text/json", "", true),
            ("{fields: {Accept: {contains: json}}}", "/", "", "", false),
            ("{fields: {Cookie: absent}}", "/", "", "", true),
            ("{body: {json: {$.a.b: x}}}", "/", "", #"{"a":{"b":"x"}}"#, true),
            ("{body: {json: {'$.a[*].b': x}}}", "/", "", #"{"a":[{"b":"y"},{"b":"x"}]}"#, true),
            ("{body: {json: {'$.a[1]': x}}}", "/", "", #"{"a":["x"]}"#, false),
            ("{body: {json: {$.a: '1'}}}", "/", "", #"{"a":1}"#, true),
            ("{body: {json: {$.a: absent}}}", "/", "", #"{"b":1}"#, true),
            ("{body: {json: {$.a: '[1,{\"b\":null}]'}}}", "/", "", #"{"a": [1, {"b": null}]}"#, true),
            ("{body: {json: {$.a: x}}}", "/", "", "no JSON", false),
            (
                "{body: {form: {a: '1 2'}}}", "/", "Content-Type: application/x-www-form-urlencoded",
                "b=0&a=1+2", true
            ),
            ("{body: {form: {a: '1'}}}", "/", "", "a=1", false),
            (
                "{body: {parts: {f: hello}}}", "/", "Content-Type: multipart/form-data; boundary=B",
                "--B\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nhello\r\n--B--\r\n", true
            ),
            ("{body: exactly}", "/", "", "exactly", true), ("{body: exactly}", "/", "", "exactly ", false),
            ("{body: {contains: act, matches: 'e.*'}}", "/", "", "exactly", true),
            ("{body: {contains: act, not: exactly}}", "/", "", "exactly", false),
        ]
    )
    func conditions(route: String, target: String, field: String, body: String, isMatch: Bool) throws {
        var script = try script("[\(route.dropLast()), answer: {body: yes it is}}]")
        let lines =
            field.isEmpty
            ? []
            : [ServedField(String(field.prefix { $0 != ":" }), String(field.drop { $0 != ":" }.dropFirst(2)))]
        #expect((ask(&script, target, fields: lines, body: body) != nil) == isMatch)
    }

    @Test("A higher priority is tried first, then the order of the file")
    func priority() throws {
        var script = try script(
            """
            - {path: /a, answer: {body: first}}
            - {path: /a, answer: {body: second}}
            - {path: '/{x}', priority: 1, query: {p: present}, answer: {body: third}}
            - {path: '*', priority: -1, answer: {body: last}}
            """
        )
        #expect(ask(&script, "/a") == "first")
        #expect(ask(&script, "/a?p=1") == "third")
        #expect(ask(&script, "/b") == "last")
    }

    @Test("A route matches from its beginning until just before its end")
    func times() throws {
        var script = try script(
            "[{until: 10s, answer: {body: early}}, {after: 10s, until: 20s, answer: {body: middle}}, {answer: {body: late}}]"
        )
        let seen = [0, 9.999, 10, 19.999, 20].map { ask(&script, "/", at: $0) }
        #expect(seen == ["early", "early", "middle", "middle", "late"])
    }

    @Test("Answers change the states of machines, and routes require states")
    func states() throws {
        var script = try script(
            """
            - {path: /in, then: {session: open}, answer: {body: in}}
            - {path: /out, when: {session: open}, then: {session: start}, answer: {body: out}}
            - {path: /me, when: {session: open}, answer: {body: you}}
            - {path: /me, when: {session: start}, answer: {body: who}}
            """
        )
        let seen = ["/me", "/out", "/in", "/me", "/out", "/me"].map { ask(&script, $0) }
        #expect(seen == ["who", nil, "in", "you", "out", "who"])
    }

    @Test("Answers follow each other; then the last repeats, or the first again")
    func sequence() throws {
        var once = try script("[{answers: [{body: '1'}, {body: '2'}]}]")
        #expect((0..<4).map { _ in ask(&once, "/") } == ["1", "2", "2", "2"])
        var loop = try script("[{answers: [{body: '1'}, {body: '2'}], loop: true}]")
        #expect((0..<4).map { _ in ask(&loop, "/") } == ["1", "2", "1", "2"])
    }

    @Test(
        "Without valid credentials a request gets 401 with the realm, is not counted and changes no state",
        arguments: [
            ("", false), ("Basic YW5uOnNlY3JldA==", true), ("basic YW5uOnNlY3JldA==", true),
            ("Basic YW5uOndyb25n", false), ("Basic !!", false), ("Bearer YW5uOnNlY3JldA==", false),
            ("Basic", false),
        ]
    )
    func credentials(value: String, isKnown: Bool) throws {
        var script = try script(
            "[{auth: {users: {ann: secret}, realm: Here}, then: {m: on}, answers: [{body: '1'}, {body: '2'}]}]"
        )
        let fields = value.isEmpty ? [] : [ServedField("Authorization", value)]
        let selection = script.next(RoutedRequest(ServedRequest(method: "GET", target: "/", fields: fields)))
        #expect(selection?.answer.status == (isKnown ? 200 : 401))
        let challenge = selection?.answer.fields.first { $0.name == "WWW-Authenticate" }?.value
        #expect(challenge == (isKnown ? nil : .text("Basic realm=\"Here\", charset=\"UTF-8\"")))
        let known = [ServedField("Authorization", "Basic YW5uOnNlY3JldA==")]
        #expect(ask(&script, "/", fields: known) == (isKnown ? "2" : "1"))
    }

    @Test("Ten thousand routes are distinguished like ten: each path matches only its own")
    func index() {
        var routes = (0..<10_000).map { Route(label: "\($0)", path: .exact("/r/\($0)"), answers: [Answer()]) }
        routes += (0..<1000).compactMap { number in
            PathTemplate("/t\(number)/{id}").map {
                Route(label: "t\(number)", path: .template($0), answers: [Answer()])
            }
        }
        routes.append(Route(label: "rest", path: .prefix("/r/"), answers: [Answer()]))
        let index = RouteIndex(routes)
        func places(_ target: String) -> [Int] {
            index.places(for: RoutedRequest(ServedRequest(method: "GET", target: target)))
        }
        #expect(places("/r/9999") == [9999, 11_000])
        #expect(places("/r/10000") == [11_000])
        #expect(places("/t999/a") == [10_999])
        #expect(places("/t999/a/b").isEmpty)
    }

    @Test("The index finds the same routes as a comparison with every route")
    func sameAsLinear() throws {
        let patterns = [
            "/a", "/a/*", "/a*", "/a/b", "/{x}", "/{x}/b", "/a/{y}", "/a/{y}/c", "/**", "/a/**", "/p-{x}.q",
            "/*/b",
        ]
        var paths: [PathPattern] = [.any]
        for pattern in patterns {
            let problems = ProblemCollector()
            let node = YAMLNode(
                .scalar(YAMLScalar(pattern, isPlain: true)),
                at: Position(file: "f", line: 1, column: 1)
            )
            paths.append(try #require(PathPattern.reader.read(node, problems)))
        }
        let index = RouteIndex(
            paths.enumerated().map { Route(label: "\($0)", path: $1, answers: [Answer()]) }
        )
        for path in [
            "/", "/a", "/ab", "/a/", "/a/b", "/a/b/c", "/x/b", "/p-1.q", "/p-.q", "/%61", "/a/%62", "/x/y/z",
            "//",
        ] {
            let request = RoutedRequest(ServedRequest(method: "GET", target: path))
            let linear = paths.indices.filter { paths[$0].isFor(request) }
            #expect(index.places(for: request) == linear, "\(path)")
        }
    }

    @Test(
        "A changed script keeps counts and pinned answers of the routes that stay as they were, and all states"
    )
    func continuing() throws {
        var old = try script(
            """
            - {label: same, path: /same, then: {m: on}, answers: [{body: '1'}, {body: '2'}, {body: '3'}]}
            - {label: pinned, path: /pinned, answers: [{body: '1'}, {body: '2'}]}
            - {label: changed, path: /changed, answers: [{body: '1'}, {body: '2'}]}
            """
        )
        for path in ["/same", "/pinned", "/changed"] { #expect(ask(&old, path) == "1") }
        old.pin(answer: 1, label: "pinned")
        let routes = old.index.routes
        var other = routes[2]
        other.priority = 1
        var new = Script([other, routes[1], routes[0]], continuing: old)
        #expect(new.requestCounts == [0, 1, 1])
        #expect(["/same", "/pinned", "/changed"].map { ask(&new, $0) } == ["2", "1", "1"])
        #expect(new.state(of: "m") == "on" && new.state(of: "n") == "start")
    }

    @Test("The methods of a path are those of its routes, each once, and none if one accepts all")
    func methods() throws {
        let index = try script(
            """
            - {path: /a, method: [GET, PUT], answer: {}}
            - {path: '/{x}', method: [PUT, POST], answer: {}}
            - {path: /b, answer: {}}
            """
        ).index
        func methods(_ target: String) -> [String] {
            index.methods(for: RoutedRequest(ServedRequest(method: "PATCH", target: target)))
        }
        #expect(methods("/a") == ["GET", "PUT", "HEAD", "POST"])
        #expect(methods("/c") == ["PUT", "POST"])
        #expect(methods("/b") == [] && methods("/c/d") == [])
    }

    @Test("A route is steady if fields, time, states and requests before change nothing")
    func steady() throws {
        let rows = [
            ("path: /a", true), ("path: /a, query: absent", true), ("path: /a, fields: {X: '1'}", false),
            ("path: /a, after: 1s", false), ("path: /a, until: 1s", false),
            ("path: /a, when: {m: on}", false), ("path: /a, then: {m: on}", false),
            ("path: /a, auth: {users: {a: b}}", false),
        ]
        for (conditions, expected) in rows {
            let index = try script("[{\(conditions), answer: {body: x}}]").index
            #expect(index.isSteady(0) == expected, "\(conditions)")
        }
        #expect(try !script("[{path: /a, answers: [{body: x}, {body: y}]}]").index.isSteady(0))
        #expect(try !script("[{path: /a, answer: {body: x, delay: 1s}}]").index.isSteady(0))
    }
}

extension PathPattern {
    /// Whether a request's path, as sent or decoded, is one of these.
    fileprivate func isFor(_ request: RoutedRequest) -> Bool {
        let forms = [request.path] + (request.decodedPath.map { [$0] } ?? [])
        return switch self {
        case .any: true
        case .exact(let path): forms.contains(path)
        case .prefix(let prefix): forms.contains { $0.hasPrefix(prefix) }
        case .template(let template): template.parameters(of: request.segments) != nil
        }
    }
}
