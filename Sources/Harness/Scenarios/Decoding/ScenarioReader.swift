import CacheSemantics
import LocatedYAML
import OriginScript

/// Decodes one scenario.
struct ScenarioReader {
    let file: ScenarioFile
    let realTime: Bool
    let language: ScenarioLanguage
    let map: MapReader<ScenarioKey>

    func read() -> (scenario: Scenario, dependencies: [Located<String>])? {
        let reading = ScenarioReading(problems: map.problems, language: language)
        let id = map.required(.id, Self.identifier)
        let title = map.required(.title, .text)
        let level = map.required(.level, Reader<RuleLevel>.choice)
        let rules = map.required(.rules, reading.rule.oneOrMore())
        let mode = map.optional(.realTime, RealTime.reader) ?? .asWritten
        reading.routes =
            map[.origin].flatMap { Route.decodeAll(inTime($0, mode), map.problems) } ?? [.standard]
        let faults = map[.faults].flatMap { Fault.listReader.read(inTime($0, mode), map.problems) }
        let network = map[.network].flatMap { NetworkSchedule.reader.read(inTime($0, mode), map.problems) }
        let tls = map.optional(.tls, Reader<TLSCase>.choice)
        let client = map[.client].map { reading.clientSettings(inTime($0, mode)) }
        let settings = reading.extensionSettings(map.node) { inTime($0, mode) }
        let steps = map.required(
            .steps,
            Reader<[LocatedStep]> { node, _ in reading.steps(inTime(node, mode)) }
        )
        reading.endExtensions()
        let cacheKinds = map.optional(.cache, Reader<CacheKind>.choice.oneOrMore())
        let dependencies = dependencies()
        guard let id, let title, let level, let rules, let steps else { return nil }
        var scenario = Scenario(
            id: file.suitePath + "/" + id,
            title: title,
            level: level,
            rules: rules,
            position: map.position
        )
        scenario.cacheKinds = kinds(cacheKinds, steps)
        scenario.dependencies = dependencies.map(\.value)
        scenario.client = client ?? ClientSettings()
        scenario.routes = reading.routes
        scenario.steps = steps
        scenario.realTime = mode
        scenario.passesFor = map[.passesFor].flatMap { reading.passesFor.read($0, map.problems) } ?? [:]
        scenario.grounds = map[.because].flatMap { Citation.listReader.read($0, map.problems) } ?? []
        scenario.extensionSettings = settings
        scenario.faults = faults ?? []
        scenario.network = network
        scenario.tls = tls
        return (scenario, dependencies)
    }

    /// Returns the given kinds, or by default all kinds that the steps can be run with.
    private func kinds(_ given: [CacheKind]?, _ steps: [LocatedStep]) -> [CacheKind] {
        guard let owner = steps.flattened.lazy.compactMap(\.owner).first else {
            return given ?? CacheKind.allCases
        }
        if let wrong = given?.first(where: { !owner.cacheKinds.contains($0) }) {
            let known = owner.cacheKinds.map(\.rawValue).joined(separator: ", ")
            map.problems.add(
                at: map[.cache]?.position ?? map.position,
                found: "a \(wrong.rawValue) cache with a step of \"\(owner.key)\"",
                expected: "\(known), which is the default for such steps"
            )
        }
        return given ?? owner.cacheKinds
    }

    /// Returns the full ids of the dependencies.
    private func dependencies() -> [Located<String>] {
        let located = map.optional(.dependsOn, Reader.text.located().oneOrMore()) ?? []
        return located.map { dependency in
            let isLocal = !dependency.value.contains("/")
            return Located(
                isLocal ? file.suitePath + "/" + dependency.value : dependency.value,
                at: dependency.position
            )
        }
    }

    private func inTime(_ node: YAMLNode, _ mode: RealTime) -> YAMLNode {
        guard realTime, case .replacing(let replacements) = mode else { return node }
        return RealTimeReplacement(replacements).applied(to: node)
    }

    /// Lower-case words joined by `-`.
    private static var identifier: Reader<String> {
        Reader(expected: "lower-case words joined by \"-\"") { scalar in
            let words = scalar.text.split(separator: "-", omittingEmptySubsequences: false)
            let isId = words.allSatisfy { word in
                !word.isEmpty && word.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
            }
            return isId ? scalar.text : nil
        }
    }
}

extension RealTime {
    /// Reads the reason why the scenario cannot run in real time, or a map of texts to their replacements.
    static var reader: Reader<RealTime> {
        Reader { node, problems in
            if let pairs = node.pairs {
                let replacements = Reader<[String: String]>.textMap.read(node, problems) ?? [:]
                guard !pairs.isEmpty, !pairs.contains(where: { $0.key.isEmpty }) else {
                    problems.add(at: node.position, found: "nothing to replace", expected: "text to replace")
                    return nil
                }
                return .replacing(replacements)
            }
            return refusal.read(node, problems)
        }
    }

    /// Reads the reason, with or without a preceding `no`.
    private static var refusal: Reader<RealTime> {
        Reader(expected: "a reason why not, or a map of text to its replacement") { scalar in
            let words = scalar.text.split(separator: " ")
            let begins = words.first.map { $0 == "no" || $0 == "no," || $0 == "no:" } ?? false
            let reason = words.dropFirst(begins ? 1 : 0).drop { $0 == "-" || $0 == "–" || $0 == "—" }
            return reason.isEmpty ? nil : .never(reason: reason.joined(separator: " "))
        }
    }
}
