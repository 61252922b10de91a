import LocatedYAML
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Site files")
struct SiteFileTests {
    @Test("The folders to watch are the site's, that of its routes, and those of its other files")
    func folders() {
        let files = ["/a.yaml", "b.yaml", "x/c.yaml", "/y/z/d.yaml"]
        #expect(SiteSource(folder: "/s", files: files).folders == ["/s", "/s/routes", "/", ".", "x", "/y/z"])
        #expect(SiteSource(files: ["b.yaml"]).folders == ["."])
    }

    @Test("Settings are decoded by page, in order")
    func reading() throws {
        let text = """
            /get: {cache-control: max-age=60, status: 404}
            /image:
              framing: length
            """
        let pages = try SiteFile.decode(text, file: "p.yaml").pages
        #expect(pages["/get"]?.map(\.name) == ["cache-control", "status"])
        #expect(pages["/get"]?.map(\.value) == ["max-age=60", "404"])
        #expect(pages["/image"] == [PageSetting(name: "framing", value: "length")])
    }

    @Test("All problems are reported at once, each with its position")
    func problems() {
        let text = """
            /get: {status: abc, colour: red}
            /nope: {}
            /post: 3
            /fetchMockData: {format: png}
            """
        #expect {
            _ = try SiteFile.decode(text, file: "p.yaml")
        } throws: { error in
            let lines = (error as? YAMLProblems)?.description.split(separator: "\n") ?? []
            return lines.map { $0.prefix { $0 != " " } }
                == ["p.yaml:1:16:", "p.yaml:1:21:", "p.yaml:2:1:", "p.yaml:3:8:", "p.yaml:4:18:"]
        }
    }

    @Test("Routes are a list, or a key beside defaults that complete the answers")
    func routes() throws {
        let alone = try SiteFile.decode("- {path: /a, answer: {body: one}}", file: "s").routes
        #expect(alone.map(\.path) == [.exact("/a")])
        let text = """
            defaults: {cache-control: max-age=60, etag: md5}
            routes:
              - {path: /a, answers: [{body: one}, {cache-control: no-store}]}
              - {path: /b, answer: {etag: none}}
            """
        let site = try SiteFile.decode(text, file: "s")
        let answers = site.routes.flatMap(\.answers)
        #expect(answers.map(\.entityTag) == [.md5, .md5, nil])
        let values = answers.map { $0.fields.map(\.value) }
        #expect(values == [[.text("max-age=60")], [.text("no-store")], [.text("max-age=60")]])
        #expect(site.files?.fields == [FieldLine("Cache-Control", .text("max-age=60"))])
        #expect(site.files?.ranges == .offered)
    }

    @Test("JSON works like YAML")
    func json() throws {
        let text =
            #"{"routes": [{"path": "/a/{id}", "answer": {"status": 201, "body": {"json": [1, "1"]}}}]}"#
        let routes = try SiteFile.decode(text, file: "s.json").routes
        #expect(routes.first?.answers.first?.body == .text(#"[1,"1"]"#))
    }

    @Test("Problems of routes, of defaults and of the file's own keys are reported together")
    func routeProblems() {
        let text = """
            defaults: {etag: v1}
            routs: []
            routes:
              - {path: '/{a}/{a}', answer: {}}
              - {path: /x, body: {json: {user: 1}}, answer: {violations: [304-with-bodies]}}
            """
        #expect {
            _ = try SiteFile.decode(text, file: "s")
        } throws: { error in
            let lines = (error as? YAMLProblems)?.description.split(separator: "\n") ?? []
            return lines.map { $0.prefix { $0 != " " } } == [
                "s:1:18:", "s:2:1:", "s:4:12:", "s:5:30:", "s:5:63:",
            ]
        }
    }

    @Test("A file that is neither a list nor a map is a problem of its first line", arguments: ["text", "3"])
    func scalar(text: String) {
        #expect {
            _ = try SiteFile.decode(text, file: "s")
        } throws: { error in
            let description = (error as? YAMLProblems)?.description ?? ""
            return description.hasPrefix("s:1:1:") && description.contains("a list of routes, or a map")
        }
    }

    @Test(
        "The body of files is their folder, whatever the defaults set, and gzip is offered unless they set it"
    )
    func files() throws {
        let site = try SiteFile.decode("defaults: {body: x, gzip: false}", file: "s")
        #expect(site.files?.body == .folder("") && site.files?.gzip == .never)
        #expect(try SiteFile.decode("defaults: {etag: md5}", file: "s").files?.gzip == .offered)
    }
}
