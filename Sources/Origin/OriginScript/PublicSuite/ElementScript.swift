public import LocatedYAML

/// The origin's response to one request of a test.
public struct ElementScript: Sendable, Hashable {
    /// A 1xx response.
    public struct Interim: Sendable, Hashable {
        /// 102 or 103; others are not sent.
        public var status: Int
        /// Field lines.
        public var fields: [SuiteField]
    }
    /// Status code and reason phrase; `nil` for 200 OK.
    public var status: (code: Int, phrase: String)? {
        get { statusCode.map { ($0, phrase) } }
        set { (statusCode, phrase) = (newValue?.code, newValue?.phrase ?? "") }
    }
    private var statusCode: Int?
    private var phrase = ""
    /// Field lines; `nil` if the element has none, not even an empty list.
    public var fields: [SuiteField]?
    /// Content; `nil` and empty mean the test's id.
    public var body: String?
    /// The delay in seconds before the response; default 0.
    public var pauseSeconds = 0.0
    /// 1xx responses before the final one.
    public var interim: [Interim] = []
    /// Whether the connection is closed in place of a response.
    public var disconnects = false
    /// Whether `Location` and `Content-Location` are relative to the request's target.
    public var hasMagicLocations = false
    /// Names, in lower case, of date fields in the form of RFC 850.
    public var rfc850Names: Set<String> = []
    /// Whether the answer is 304 or, where the request's validators do not fit, 999.
    public var expectsValidation = false

    /// Creates an element that answers 200.
    public init() {}
}

/// The members of a request object that the origin reads.
enum ElementKey: String, MapKey {
    case status = "response_status"
    case fields = "response_headers"
    case body = "response_body"
    case pause = "response_pause"
    case interim = "interim_responses"
    case disconnect
    case magicLocations = "magic_locations"
    case rfc850 = "rfc850date"
    case expectedType = "expected_type"
    static let mapName = "a request object"
}

extension ElementScript {
    /// Decodes the elements of a test as its client sends them, ignoring unknown members.
    public static func decode(json text: String) throws(YAMLProblems) -> [ElementScript] {
        let node = try YAMLNode.parse(json: text, file: "body")
        let problems = ProblemCollector()
        let elements = Reader.element.list().read(node, problems) ?? []
        if problems.problems.isEmpty { checkOrder(elements, node, problems) }
        try problems.throwIfAny()
        return elements
    }

    /// Checks that each response that is to be validated was sent before.
    package static func checkOrder(
        _ elements: [ElementScript],
        _ list: YAMLNode,
        _ problems: ProblemCollector
    ) {
        for (index, element) in elements.enumerated() where element.expectsValidation {
            if index > 0, elements[index - 1].fields != nil { continue }
            problems.add(
                at: list.elements?[index].value(of: ElementKey.expectedType.rawValue)?.position
                    ?? list.position,
                found: "a request that expects validation, but no earlier request to validate",
                expected: "an element with \"response_headers\" before it"
            )
        }
    }

    package init?(_ node: YAMLNode, _ problems: ProblemCollector) {
        guard let map = MapReader(node.keeping(ElementKey.self), problems, keys: ElementKey.self) else {
            return nil
        }
        if map[.status].map({ !$0.isNull }) ?? false { status = map.optional(.status, .suiteStatus) }
        fields = map.optional(.fields, Reader.suiteField.list())
        if map[.body].map({ !$0.isNull }) ?? false { body = map.optional(.body, .quoted) }
        map.set(&pauseSeconds, .pause, Reader.number.when({ (0...3600).contains($0) }, expected: Self.pauses))
        map.set(&interim, .interim, Reader.interim.list())
        map.set(&disconnects, .disconnect, .bool)
        map.set(&hasMagicLocations, .magicLocations, .bool)
        rfc850Names = Set(map.optional(.rfc850, Reader.quoted.list())?.map(\.asciiLowercased) ?? [])
        expectsValidation = map.optional(.expectedType, .quoted)?.hasSuffix("validated") ?? false
    }

    private static let pauses = "seconds from 0 to 3600"
}

extension YAMLNode {
    /// Returns the map without pairs of unknown keys.
    fileprivate func keeping<Key: MapKey>(_ keys: Key.Type) -> YAMLNode {
        guard let pairs else { return self }
        return YAMLNode(.mapping(pairs.filter { Key(rawValue: $0.key) != nil }), at: position)
    }
}

extension Reader where Value == ElementScript {
    /// A request object, as the origin reads it.
    package static var element: Reader { Reader { ElementScript($0, $1) } }
}

extension Reader where Value == (code: Int, phrase: String) {
    /// `[code, phrase]`.
    package static var suiteStatus: Reader {
        Reader { node, problems in
            guard let parts = node.elements, (1...2).contains(parts.count) else {
                problems.add(node, expected: "[status code, reason phrase]")
                return nil
            }
            let code = Reader<Int>.integer(in: 200...999).read(parts[0], problems)
            let phrase = parts.count > 1 ? Reader<String>.quoted.read(parts[1], problems) : ""
            guard let code, let phrase else { return nil }
            return (code, phrase)
        }
    }
}

extension Reader where Value == ElementScript.Interim {
    /// `[status]` or `[status, fields]`.
    package static var interim: Reader {
        Reader { node, problems in
            guard let parts = node.elements, (1...2).contains(parts.count) else {
                problems.add(node, expected: "[status code, field lines]")
                return nil
            }
            guard let status = Reader<Int>.integer(in: 100...199).read(parts[0], problems) else { return nil }
            let fields = parts.count > 1 ? Reader<SuiteField>.suiteField.list().read(parts[1], problems) : []
            return fields.map { ElementScript.Interim(status: status, fields: $0) }
        }
    }
}
