import CacheSemantics
import LocatedYAML
import OriginScript

/// Decodes the scenarios of one file.
struct SuiteReader {
    let file: ScenarioFile
    let realTime: Bool
    let language: ScenarioLanguage
    let problems: ProblemCollector

    func read(_ root: YAMLNode) -> DecodedSuite {
        var decoded = DecodedSuite(
            suite: Suite(path: file.suitePath, title: "", scenarios: []),
            dependencies: []
        )
        guard let map = MapReader<SuiteKey>(root, problems) else { return decoded }
        map.required(.suite, .text).map { decoded.suite.title = $0 }
        let defaults = map[.defaults].flatMap(readDefaults)
        guard let nodes = map.required(.scenarios, Self.nonEmptyList) else { return decoded }
        for node in nodes { read(node, defaults, into: &decoded) }
        return decoded
    }

    /// The keys of settings besides those of the language; a lacking one has a separate problem.
    private var otherKeys: [String] { language.extensionKeys + [language.lackingKey].compactMap(\.self) }

    private func read(_ node: YAMLNode, _ defaults: YAMLNode?, into decoded: inout DecodedSuite) {
        language.reportLacking(node, problems)
        let filled = defaults.map { fill(node, from: $0) } ?? node
        guard let map = MapReader<ScenarioKey>(filled, problems, besides: otherKeys) else { return }
        let reader = ScenarioReader(file: file, realTime: realTime, language: language, map: map)
        guard let (scenario, dependencies) = reader.read() else { return }
        if decoded.suite.scenarios.contains(where: { $0.id == scenario.id }) {
            let found = "the duplicate id \(YAMLNode.quoted(map[.id]?.scalarText ?? ""))"
            problems.add(at: map[.id]?.position ?? node.position, found: found, expected: "a unique id")
        }
        decoded.suite.scenarios.append(scenario)
        decoded.dependencies += dependencies.map { (scenario.id, $0) }
    }

    /// Checks the defaults, even if no scenario uses them.
    private func readDefaults(_ node: YAMLNode) -> YAMLNode? {
        language.reportLacking(node, problems)
        guard let map = MapReader<DefaultsKey>(node, problems, besides: otherKeys) else { return nil }
        let reading = ScenarioReading(problems: problems, language: language)
        _ = map.optional(.level, Reader<RuleLevel>.choice)
        _ = map.optional(.rules, reading.rule.list())
        _ = map.optional(.cache, Reader<CacheKind>.choice.oneOrMore())
        _ = map[.passesFor].flatMap { reading.passesFor.read($0, problems) }
        _ = map[.because].flatMap { Citation.listReader.read($0, problems) }
        _ = map.optional(.dependsOn, Reader.text.oneOrMore())
        _ = map[.client].map { reading.clientSettings($0) }
        _ = reading.extensionSettings(node)
        _ = map.optional(.origin, Route.listReader)
        return node
    }

    /// Adds the defaults for keys that a scenario does not set.
    private func fill(_ node: YAMLNode, from defaults: YAMLNode) -> YAMLNode {
        guard let own = node.pairs, let given = defaults.pairs else { return node }
        let missing = given.filter { pair in
            !isOwn(pair, own)
                && (DefaultsKey(rawValue: pair.key) != nil || language.extensionKeys.contains(pair.key))
                && !own.contains { $0.key == pair.key }
        }
        return YAMLNode(.mapping(own + missing), at: node.position)
    }

    /// Whether a default dependency is the scenario itself, on which the others of its file depend.
    private func isOwn(_ pair: YAMLPair, _ own: [YAMLPair]) -> Bool {
        guard pair.key == DefaultsKey.dependsOn.rawValue else { return false }
        let id = own.first { $0.key == ScenarioKey.id.rawValue }?.value.scalarText
        return pair.value.scalarText == id || pair.value.elements?.contains { $0.scalarText == id } == true
    }

    private static var nonEmptyList: Reader<[YAMLNode]> {
        Reader { node, problems in
            if let nodes = node.elements, !nodes.isEmpty { return nodes }
            let found = node.elements == nil ? node.summary : "an empty list"
            problems.add(at: node.position, found: found, expected: "a list of scenarios")
            return nil
        }
    }
}
