import LocatedYAML
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Control API: its document", .timeLimit(.minutes(20)), .blocking)
struct ControlDocumentTests {
    private func document(_ server: ControlledServer) throws -> YAMLNode {
        try YAMLNode.parse(json: server.ask("GET", "/openapi.json").text, file: "openapi.json")
    }

    @Test("The document is OpenAPI 3.1 and requires a token except for /health, itself and the page")
    func head() throws {
        let document = try document(try ControlledServer())
        #expect(document.value(of: "openapi")?.scalarText == "3.1.0")
        #expect(document.value(of: "info")?.value(of: "title")?.scalarText == "CacheCheck mock origin")
        let open = try #require(document.value(of: "paths")?.pairs).filter { path in
            path.value.pairs?.contains { $0.value.value(of: "security") != nil } == true
        }
        #expect(open.map(\.key) == ["/", "/page.css", "/page.js", "/base.js", "/health", "/openapi.json"])
    }

    @Test("Every operation of the document is available, and no other method of its paths")
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

    @Test("The keys that a request may have are those of its schema")
    func keys() throws {
        let server = try ControlledServer()
        let document = try document(server)
        var checked: [String] = []
        for path in try #require(document.value(of: "paths")?.pairs) {
            for method in path.value.pairs ?? [] {
                guard let schema = method.value.value(of: "requestBody").flatMap({ Schema($0, document) }),
                    let properties = schema.node.value(of: "properties")?.pairs
                else { continue }
                let target = path.key.replacing("{label}", with: "x")
                let answer = try server.ask(method.key.uppercased(), target, #"{"zzzzzzzzzzzz":1}"#).text
                let problem = answer.split(separator: "{").first { $0.contains("unknown key") } ?? ""
                let known = try #require(problem.firstRange(of: "\"expected\":\""), "\(path.key): \(answer)")
                let words = problem[known.upperBound...].prefix { $0 != "}" }.replacing("one of ", with: "")
                    .split { "\\\", ".contains($0) }.map { String($0) }
                #expect(Set(words) == Set(properties.map(\.key)), "\(method.key) \(path.key)")
                checked.append(path.key)
            }
        }
        #expect(Set(checked).isSuperset(of: ["/routes/{label}", "/journal/wait", "/namespaces", "/faults"]))
    }

    @Test("Every response conforms to the document")
    func answers() throws {
        let server = try ControlledServer([Route(label: "code", path: .exact("/code"), answers: [Answer()])])
        let document = try document(server)
        let form = ["Content-Type: application/x-www-form-urlencoded", "If-None-Match: *"]
        _ = try server.get("/post?a=b", form, method: "POST", body: "a=1&a=2")
        _ = try server.get("/code")
        let calls = [
            ("POST", "/routes", "/routes", #"{"label":"x","path":"/x","answer":{}}"#),
            ("GET", "/routes", "/routes", ""), ("GET", "/routes/{label}", "/routes/x", ""),
            ("PUT", "/routes/{label}", "/routes/x", #"{"path":"/y","answer":{}}"#),
            ("GET", "/pages", "/pages", ""), ("PUT", "/pages", "/pages", #"{"/get":{"age":"1"}}"#),
            ("GET", "/states", "/states", ""), ("PUT", "/states", "/states", #"{"m":"s"}"#),
            ("GET", "/faults", "/faults", ""), ("PUT", "/faults", "/faults", #"{"faults":"reset@head"}"#),
            ("GET", "/network", "/network", ""), ("GET", "/network/profiles", "/network/profiles", ""),
            ("PUT", "/network", "/network", #"{"network":"edge"}"#),
            ("POST", "/release", "/release", "{}"), ("GET", "/clock", "/clock", ""),
            ("POST", "/clock/advance", "/clock/advance", #"{"by":"1s"}"#),
            ("GET", "/journal", "/journal", ""),
            ("POST", "/journal/search", "/journal/search", #"{"times":1}"#),
            ("POST", "/journal/wait", "/journal/wait", "{}"), ("POST", "/namespaces", "/namespaces", "{}"),
            ("GET", "/namespaces", "/namespaces", ""), ("GET", "/health", "/health", ""),
            ("GET", "/openapi.json", "/openapi.json", ""), ("DELETE", "/faults", "/faults", ""),
            ("DELETE", "/network", "/network", ""), ("DELETE", "/journal", "/journal", ""),
            ("DELETE", "/routes/{label}", "/routes/x", ""), ("POST", "/reset", "/reset", ""),
            ("DELETE", "/namespaces/{name}", "/namespaces/run-1", ""),
            ("PUT", "/routes", "/routes", #"[{"path":"/z","answer":{}}]"#),
        ]
        for (method, path, target, body) in calls {
            let operation = document.value(of: "paths")?.value(of: path)?.value(of: method.lowercased())
            let responses = try #require(operation?.value(of: "responses"), "\(method) \(path)")
            let answer = try server.ask(method, target, body)
            let good = try #require(
                responses.value(of: "\(answer.status)"),
                "\(method) \(path): \(answer.text)"
            )
            guard answer.status != 204 else { continue }
            let schema = try #require(Schema(good, document), "\(method) \(path)")
            let value = try YAMLNode.parse(json: answer.text, file: path)
            #expect(schema.problems(with: value) == [], "\(method) \(path)")
        }
        let refused = try server.ask("POST", "/routes", "{")
        let error = try #require(Schema(named: "Error", document))
        #expect(error.problems(with: try YAMLNode.parse(json: refused.text, file: "error")) == [])
    }

    @Test("Every schema that is referred to exists")
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

/// The part of JSON Schema that the document uses.
private struct Schema {
    let node: YAMLNode
    let document: YAMLNode

    init(_ node: YAMLNode, in document: YAMLNode) {
        let name = node.value(of: "$ref")?.scalarText?.split(separator: "/").last.map { String($0) }
        let found = name.flatMap { document.value(of: "components")?.value(of: "schemas")?.value(of: $0) }
        (self.node, self.document) = (found ?? node, document)
    }

    /// Creates the schema of a request's or a response's content.
    init?(_ carrier: YAMLNode, _ document: YAMLNode) {
        let media = carrier.value(of: "content")?.value(of: "application/json")
        guard let schema = media?.value(of: "schema") else { return nil }
        self.init(schema, in: document)
    }

    init?(named name: String, _ document: YAMLNode) {
        let found = document.value(of: "components")?.value(of: "schemas")?.value(of: name)
        guard let found else { return nil }
        self.init(found, in: document)
    }

    /// Returns the differences of a value.
    func problems(with value: YAMLNode, at place: String = "") -> [String] {
        var problems: [String] = []
        let types = node.value(of: "type").map { $0.elements?.map(\.scalarText) ?? [$0.scalarText] }
        if let types, !types.contains(where: { $0.map { Self.matches(value, $0) } == true }) {
            problems.append("\(place): \(value.summary) is no \(types)")
        }
        for name in node.value(of: "required")?.elements?.compactMap(\.scalarText) ?? []
        where value.value(of: name) == nil {
            problems.append("\(place): no \(name)")
        }
        for pair in value.pairs ?? [] { problems += self.problems(with: pair, at: place + "/" + pair.key) }
        if let items = node.value(of: "items").map({ Schema($0, in: document) }) {
            for element in value.elements ?? [] {
                problems += items.problems(with: element, at: place + "[]")
            }
        }
        return problems
    }

    private func problems(with member: YAMLPair, at place: String) -> [String] {
        let rest = node.value(of: "additionalProperties")
        if let own = node.value(of: "properties")?.value(of: member.key) {
            return Schema(own, in: document).problems(with: member.value, at: place)
        }
        if rest?.scalarText == "false" { return ["\(place) is not told of"] }
        return rest.map { Schema($0, in: document).problems(with: member.value, at: place) } ?? []
    }

    private static func matches(_ value: YAMLNode, _ type: String) -> Bool {
        guard case .scalar(let scalar) = value.content else {
            return type == (value.pairs == nil ? "array" : "object")
        }
        return switch type {
        case "null": scalar.isNull
        case "string": !scalar.isPlain
        case "boolean": scalar.isPlain && ["true", "false"].contains(scalar.text)
        case "integer": scalar.isPlain && Int(scalar.text) != nil
        case "number": scalar.isPlain && Double(scalar.text) != nil
        default: false
        }
    }
}
