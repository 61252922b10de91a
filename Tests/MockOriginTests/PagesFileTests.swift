import LocatedYAML
import MockOrigin
import Testing

@Suite("The configuration file of pages")
struct PagesFileTests {
    @Test("Settings are read by page, in order")
    func reading() throws {
        let text = """
            /get: {cache-control: max-age=60, status: 404}
            /image:
              framing: length
            """
        let pages = try PagesFile.decode(text, file: "p.yaml")
        #expect(pages["/get"]?.map(\.name) == ["cache-control", "status"])
        #expect(pages["/get"]?.map(\.value) == ["max-age=60", "404"])
        #expect(pages["/image"] == [PageSetting(name: "framing", value: "length")])
    }

    @Test("All problems are reported at once, each with its place")
    func problems() {
        let text = """
            /get: {status: abc, colour: red}
            /nope: {}
            /post: 3
            /fetchMockData: {format: png}
            """
        #expect {
            _ = try PagesFile.decode(text, file: "p.yaml")
        } throws: { error in
            let lines = (error as? YAMLProblems)?.description.split(separator: "\n") ?? []
            return lines.map { $0.prefix { $0 != " " } }
                == ["p.yaml:1:16:", "p.yaml:1:21:", "p.yaml:2:1:", "p.yaml:3:8:", "p.yaml:4:18:"]
        }
    }
}
