import LocatedYAML
import OriginScript
import Testing

@Suite("Paths with parameters, and templates")
struct PathPatternTests {
    @Test(
        "A template gives its parameters or does not match",
        arguments: [
            ("/users/{id}", ["users", "7"], ["id": "7"]), ("/users/{id}", ["users"], nil),
            ("/users/{id}", ["users", "7", "x"], nil), ("/users/{id}", ["users", ""], nil),
            ("/img-{name}.png", ["img-a.png"], ["name": "a"]), ("/img-{name}.png", ["img-.png"], nil),
            ("/a/*/b", ["a", "x", "b"], [:]), ("/a/*/b", ["a", "b"], nil),
            ("/assets/**", ["assets", "a", "b.css"], ["rest": "a/b.css"]),
            ("/assets/**", ["assets", ""], ["rest": ""]),
            ("/assets/**", ["assets"], nil), ("/**", ["x"], ["rest": "x"]),
            ("/{a}/{b}", ["1", "2"], ["a": "1", "b": "2"]),
        ] as [(String, [String], [String: String]?)]
    )
    func parameters(pattern: String, segments: [String], expected: [String: String]?) throws {
        let template = try #require(PathTemplate(pattern))
        #expect(template.parameters(of: segments) == expected)
    }

    @Test(
        "A malformed template is refused",
        arguments: [
            "a/{id}", "/{}", "/{a}{b}", "/{a", "/a}", "/{a}/{a}", "/**/a", "/a*b/{c}", "/{a b}", "/{rest}/**",
        ]
    )
    func malformed(pattern: String) {
        #expect(PathTemplate(pattern) == nil)
    }

    @Test(
        "A path is decoded as exact, as a prefix or as any",
        arguments: [
            ("/a", .exact("/a")), ("/a/*", .prefix("/a/")), ("/a*", .prefix("/a")), ("'*'", .any),
        ] as [(String, PathPattern)]
    )
    func plain(text: String, expected: PathPattern) throws {
        let problems = ProblemCollector()
        #expect(PathPattern.reader.read(try YAMLNode.parse(text, file: "f"), problems) == expected)
        #expect(problems.problems.isEmpty)
    }

    @Test(
        "A template with an unknown variable is refused",
        arguments: [
            ("a ${path.id} b", true), ("${query.x}${field.Accept}${form.a}${json.a.b[0]}", true),
            ("${base}${other}${now}${unix}${method}${path}${query}${body}${count}${revision}", true),
            ("$ { } $x", true), ("${paths.id}", false), ("${id}", false), ("${path.}", false),
            ("${now", false),
            ("${json.a[}", false),
        ]
    )
    func templates(text: String, isKnown: Bool) {
        #expect((Template(text) != nil) == isKnown)
    }
}
