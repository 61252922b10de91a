import JSON
import LocatedYAML
import OriginScript

extension SuiteRequest {
    init?(_ node: YAMLNode, _ problems: ProblemCollector) {
        guard let map = MapReader(node, problems, keys: SuiteRequestKey.self),
            let element = ElementScript(node, problems)
        else { return nil }
        self.init(element: element, json: JSONValue(node).written(), position: node.position)
        readRequest(map)
        readExpectations(map)
        readFieldExpectations(map)
        map.set(&isSetup, .setup, .bool)
        setupMembers = Set(map.optional(.setupTests, Reader.word(of: Self.members).list()) ?? [])
    }

    private mutating func readRequest(_ map: MapReader<SuiteRequestKey>) {
        map.set(&method, .method, .quotedFieldName)
        map.set(&fields, .fields, Reader.suiteField.list())
        map.set(&body, .body, .quoted)
        map.set(&query, .query, .targetText)
        map.set(&filename, .filename, .targetText)
        followsRedirects = map.optional(.redirect, .quoted) != "manual"
        map.set(&cacheMode, .cache, .quoted)
        map.set(&hasMagicDate, .magicDate, .bool)
        map.set(&pausesAfter, .pauseAfter, .bool)
    }

    private mutating func readExpectations(_ map: MapReader<SuiteRequestKey>) {
        map.set(&expectedType, .expectedType, .choice)
        map.set(&expectedMethod, .expectedMethod, .quoted)
        map.set(&expectedStatus, .expectedStatus, Reader.integer(in: 100...999).demand())
        map.set(&expectedText, .expectedText, Reader.quoted.demand())
        map.set(&expectedInterim, .expectedInterim, Reader.interim.list())
        map.set(&checksBody, .checkBody, .bool)
    }

    private mutating func readFieldExpectations(_ map: MapReader<SuiteRequestKey>) {
        map.set(&expectedRequestFields, .expectedRequestFields, Reader.fieldDemand.list())
        map.set(&missingRequestFields, .missingRequestFields, Reader.fieldDemand.list())
        map.set(&expectedResponseFields, .expectedResponseFields, Reader.fieldDemand.list())
        map.set(&missingResponseFields, .missingResponseFields, Reader.fieldDemand.list())
    }

    private static let members = SuiteRequestKey.allCases.map(\.rawValue).filter { $0.hasPrefix("expected_") }
}

extension Reader where Value: Sendable & Hashable {
    /// Returns a reader of `null`, which skips the check, or of this value.
    fileprivate func demand() -> Reader<SuiteRequest.Demand<Value>> {
        Reader<SuiteRequest.Demand<Value>> { node, problems in
            node.isNull ? .skip : read(node, problems).map { .value($0) }
        }
    }
}

extension Reader where Value == String {
    /// A part of a URL.
    fileprivate static var targetText: Reader {
        let expected = "visible ASCII characters"
        return quoted.when({ $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }, expected: expected)
    }
}

extension Reader where Value == SuiteRequest.FieldDemand {
    /// `name`, `[name, value]`, `[name, "=", other name]` or `[name, ">", number]`.
    fileprivate static var fieldDemand: Reader {
        Reader { node, problems in
            guard let parts = node.elements else {
                return Reader<String>.quotedFieldName.read(node, problems).map { .name($0) }
            }
            guard (2...3).contains(parts.count) else {
                let expected =
                    "a field name, [name, value], [name, \"=\", other name] or [name, \">\", number]"
                problems.add(at: node.position, found: "a list of \(parts.count)", expected: expected)
                return nil
            }
            guard let name = Reader<String>.quotedFieldName.read(parts[0], problems) else { return nil }
            if parts.count == 3 { return relation(name, parts, problems) }
            return Reader<SuiteValue>.suiteValue.read(parts[1], problems).map { .value(name, $0) }
        }
    }

    private static func relation(
        _ name: String,
        _ parts: [YAMLNode],
        _ problems: ProblemCollector
    ) -> SuiteRequest.FieldDemand? {
        switch Reader<String>.word(of: ["=", ">"]).read(parts[1], problems) {
        case "=": Reader<String>.quotedFieldName.read(parts[2], problems).map { .sameAs(name, other: $0) }
        case ">": Reader<Int>.integer().read(parts[2], problems).map { .larger(name, than: $0) }
        default: nil
        }
    }
}
