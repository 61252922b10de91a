import CLibrary
import JSON
import LocatedYAML
@testable import OriginScript
import Testing
import TestSupport

@testable import MockOrigin

@Suite("The reference of site files")
struct SiteReferenceTests {
    @Test("Every example of fixtures/README.md is a site")
    func examples() throws {
        let text = try read("fixtures/README.md")
        let blocks = text.split(separator: "```yaml\n").dropFirst().map { rest in
            String(rest.prefix(upTo: rest.firstRange(of: "```")?.lowerBound ?? rest.endIndex))
        }
        #expect(blocks.count == 7)
        for block in blocks {
            let site = try SiteFile.decode(block, file: "example")
            #expect(!site.routes.isEmpty)
        }
    }

    @Test("The Swift examples of fixtures/README.md occur, line by line, in the example tests")
    func swiftExamples() throws {
        let blocks = try read("fixtures/README.md").split(separator: "```swift\n").dropFirst().map { rest in
            String(rest.prefix(upTo: rest.firstRange(of: "```")?.lowerBound ?? rest.endIndex))
        }
        #expect(blocks.count == 2)
        let folder = "Tests/Origin/MockOriginExampleTests"
        let example = try ["MockServerExampleTests", "MockServerXCTestCase"]
            .map { try read("\(folder)/\($0).swift") }.joined()
        for block in blocks {
            #expect(example.contains(block), "\(block)")
        }
    }

    @Test("The schema has the keys and the pages of a site, and refers only to existing definitions")
    func schema() throws {
        // JSON is YAML.
        let schema = try YAMLNode.parse(read("fixtures/site.schema.json"), file: "schema")
        let site = try #require(schema.value(of: "$defs")?.value(of: "site")?.value(of: "properties")?.pairs)
        #expect(Set(site.map(\.key)) == Set(SiteKey.allCases.map(\.rawValue) + DemoSite.paths))
        let scenarios = try YAMLNode.parse(read("scenarios/schema.json"), file: "schema")
        let references = Self.references(in: schema)
        #expect(references.count == 30)
        for reference in references {
            let parts = reference.split(separator: "#/", maxSplits: 1, omittingEmptySubsequences: false)
            #expect(["", "../scenarios/schema.json"].contains(parts[0]), "\(reference)")
            let root = parts[0].isEmpty ? schema : scenarios
            let target = parts[1].split(separator: "/").reduce(root as YAMLNode?) {
                $0?.value(of: String($1))
            }
            #expect(target != nil, "\(reference)")
        }
    }

    @Test("The schema has the keys of a route, and of what is passed")
    func routeSchema() throws {
        let definitions = try #require(
            YAMLNode.parse(read("fixtures/site.schema.json"), file: "schema").value(of: "$defs")
        )
        func keys(_ name: String) -> Set<String> {
            Set(definitions.value(of: name)?.value(of: "properties")?.pairs?.map(\.key) ?? [])
        }
        #expect(keys("route") == Set(RouteKey.allCases.map(\.rawValue)))
        #expect(keys("passing") == Set(PassKey.allCases.map(\.rawValue)))
    }

    /// `RECORD=1` rewrites the definition.
    @Test("The settings of pages in the schema are those of the table")
    func settings() throws {
        let path = packageFolder + "/fixtures/site.schema.json"
        let text = try String(readingFile: path)
        guard case .object(var schema) = try JSONValue(parsing: Array(text.utf8)),
            let place = schema.members.firstIndex(where: { $0.name == "$defs" }),
            case .object(var definitions) = schema.members[place].value
        else {
            Issue.record("fixtures/site.schema.json has no $defs")
            return
        }
        let index = try #require(definitions.members.firstIndex { $0.name == "settings" })
        definitions.members[index].value = PageSetting.schema
        schema.members[place].value = .object(definitions)
        let generated = JSONValue.object(schema).written(.indented) + "\n"
        if isRecording { try generated.write(file: path) }
        #expect(isRecording || generated == text, "RECORD=1 swift test rewrites it")
    }

    private static func references(in node: YAMLNode) -> [String] {
        let own = node.value(of: "$ref")?.scalarText.map { [$0] } ?? []
        let children = (node.pairs ?? []).map(\.value) + (node.elements ?? [])
        return own + children.flatMap(references)
    }

    private func read(_ name: String) throws -> String {
        let file = try #require(fopen(packageFolder + "/" + name, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return try #require(String(validating: bytes, as: UTF8.self)) }
            bytes += buffer.prefix(count)
        }
    }
}
