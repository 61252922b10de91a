import LocatedYAML
import MockOrigin
import Testing
import WireTesting

@Suite("Control API: its document", .timeLimit(.minutes(1)))
struct ControlDocumentTests {
    private func document(_ server: ControlledServer) throws -> YAMLNode {
        try YAMLNode.parse(json: server.ask("GET", "/openapi.json").text, file: "openapi.json")
    }

    @Test("The document is OpenAPI 3.1 with a token for all operations but /health and the page")
    func head() throws {
        let document = try document(try ControlledServer())
        #expect(document.value(of: "openapi")?.scalarText == "3.1.0")
        #expect(document.value(of: "info")?.value(of: "title")?.scalarText == "CacheCheck mock origin")
        let open = try #require(document.value(of: "paths")?.pairs).filter { path in
            path.value.pairs?.contains { $0.value.value(of: "security") != nil } == true
        }
        #expect(open.map(\.key) == ["/", "/page.css", "/page.js", "/health"])
    }

    @Test("Every operation of the document is answered, and no other method of its paths")
    func routes() throws {
        let server = try ControlledServer()
        let paths = try #require(document(server).value(of: "paths")?.pairs)
        #expect(paths.count >= 16)
        for path in paths where path.key != "/events" {
            let target = path.key.replacing("{label}", with: "x").replacing("{name}", with: "x")
            let methods = Set(path.value.pairs?.map { $0.key.uppercased() } ?? [])
            for method in ["GET", "POST", "PUT", "DELETE"] {
                let status = try server.ask(method, target, "[").status
                #expect((status == 405) == !methods.contains(method), "\(method) \(path.key): \(status)")
            }
        }
    }

    @Test("Every schema that is referred to is there")
    func references() throws {
        let document = try document(try ControlledServer())
        let schemas = try #require(document.value(of: "components")?.value(of: "schemas")?.pairs).map(\.key)
        func references(_ node: YAMLNode) -> [String] {
            let own = node.value(of: "$ref")?.scalarText.map { [$0] } ?? []
            return own + (node.pairs ?? []).flatMap { references($0.value) }
                + (node.elements ?? []).flatMap(references)
        }
        let found = Set(references(document).map { String($0.split(separator: "/").last ?? "") })
        #expect(found.isSubset(of: schemas))
        #expect(found.isSuperset(of: ["Route", "Search", "Wait", "FaultPlan", "Namespace", "Error"]))
    }
}
