public import LocatedYAML
import OriginScript

/// A file of the public suite's data: suites and their tests.
public struct SuiteFile: Sendable {
    /// The file's path as the user gave it.
    public var path: String
    /// Its suites, in order.
    public var suites: [TestSuite]
}

/// One suite: tests about one topic.
public struct TestSuite: Sendable {
    /// Id.
    public var id: String
    /// Title.
    public var name: String
    /// Its tests, in order.
    public var tests: [SuiteTest]
}

/// One test of the public suite.
public struct SuiteTest: Sendable {
    /// The importance of a failure.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The RFCs require it.
        case required
        /// A good cache does it.
        case optimal
        /// Either is right.
        case check
    }
    /// Id, unique among all suites.
    public var id: String
    /// The expectation, as a sentence.
    public var name: String
    /// The importance of a failure; default required.
    public var kind = Kind.required
    /// Ids of the tests that must pass for this one to be judged.
    public var dependencies: [String] = []
    /// Whether it is `browser_only`: skipped here, where no subject is a browser; default false.
    public var isBrowserOnly = false
    /// Whether it is `cdn_only`: for caches of content delivery networks, which are shared; default false.
    public var isCDNOnly = false
    /// Whether it is `browser_skip`: not for private caches such as a browser's; default false.
    public var isSkippedByBrowsers = false
    /// Anchors of the RFC sections that it checks.
    public var anchors: [String] = []
    /// The requests, in order; never empty.
    public var requests: [SuiteRequest]
    /// The position of the test in its file.
    public var position: Position
}

extension SuiteFile {
    /// Whether a file is one of the public suite's, by its name.
    public static func isSuite(path: String) -> Bool { path.hasSuffix(".json") }

    /// Decodes a file, one suite or a list of suites; throws all problems in it.
    public static func decode(json text: String, file: String) throws(YAMLProblems) -> SuiteFile {
        let node = try YAMLNode.parse(json: text, file: file)
        let problems = ProblemCollector()
        let nodes = node.elements ?? [node]
        let suites = nodes.compactMap { TestSuite($0, problems) }
        if nodes.isEmpty { problems.add(at: node.position, found: "an empty list", expected: "a suite") }
        try problems.throwIfAny()
        return SuiteFile(path: file, suites: suites)
    }

    /// Returns the problems of several files together: ids that are used twice.
    public static func problems(in files: [SuiteFile]) -> [Problem] {
        var seen: [String: Position] = [:]
        return files.flatMap(\.suites).flatMap(\.tests).compactMap { test in
            guard let first = seen.updateValue(test.position, forKey: test.id) else { return nil }
            return Problem(
                at: test.position,
                found: "the duplicate id \"\(test.id)\" (first at \(first))",
                expected: "each id once"
            )
        }
    }
}

/// The members of a suite.
private enum TestSuiteKey: String, MapKey {
    case id, name, description
    case anchors = "spec_anchors"
    case tests
    static let mapName = "a suite"
}

extension TestSuite {
    fileprivate init?(_ node: YAMLNode, _ problems: ProblemCollector) {
        guard let map = MapReader(node, problems, keys: TestSuiteKey.self) else { return nil }
        let id = map.required(.id, .quoted)
        let name = map.optional(.name, .quoted)
        let tests = map.required(.tests, Reader { SuiteTest($0, $1) }.list())
        _ = map.optional(.description, .quoted)
        _ = map.optional(.anchors, Reader.quoted.list())
        guard let id, let tests else { return nil }
        self.init(id: id, name: name ?? id, tests: tests)
    }
}

/// The members of a test.
private enum SuiteTestKey: String, MapKey {
    case id, name, description, kind, requests, dump
    case dependsOn = "depends_on"
    case anchors = "spec_anchors"
    case browserOnly = "browser_only"
    case cdnOnly = "cdn_only"
    case browserSkip = "browser_skip"
    static let mapName = "a test"
}

extension SuiteTest {
    fileprivate init?(_ node: YAMLNode, _ problems: ProblemCollector) {
        guard let map = MapReader(node, problems, keys: SuiteTestKey.self) else { return nil }
        let id = map.required(.id, .quoted)
        let requests = map.required(.requests, Reader { SuiteRequest($0, $1) }.list())
        guard let id, let requests else { return nil }
        self.init(
            id: id,
            name: map.optional(.name, .quoted) ?? id,
            requests: requests,
            position: node.position
        )
        map.set(&kind, .kind, .choice)
        map.set(&dependencies, .dependsOn, Reader.quoted.list())
        map.set(&anchors, .anchors, Reader.quoted.list())
        map.set(&isBrowserOnly, .browserOnly, .bool)
        map.set(&isCDNOnly, .cdnOnly, .bool)
        map.set(&isSkippedByBrowsers, .browserSkip, .bool)
        checkRequests(map[.requests] ?? node, problems)
    }

    private func checkRequests(_ list: YAMLNode, _ problems: ProblemCollector) {
        if list.elements?.isEmpty ?? false {
            problems.add(at: list.position, found: "an empty list", expected: "at least one request")
        }
        // If an element was refused, the positions do not match.
        guard list.elements?.count == requests.count else { return }
        ElementScript.checkOrder(requests.map(\.element), list, problems)
    }
}
