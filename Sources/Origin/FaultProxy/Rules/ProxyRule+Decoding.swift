import LocatedYAML
import OriginScript

/// The keys of a rule.
enum RuleKey: String, MapKey {
    case path, method, query, fields, priority, after, until, when, then, label, answer, answers, loop
    case response, requests, chance
    static let mapName = "a rule"

    /// Whether it is a key of a route of a site file, which is read as there.
    var isOfRoute: Bool {
        switch self {
        case .answer, .answers, .response, .requests, .chance: false
        default: true
        }
    }
}

/// The keys of a condition on responses.
enum ResponseKey: String, MapKey {
    case status, type, fields
    static let mapName = "a condition on responses"
}

/// The keys of a passed response.
enum PassKey: String, MapKey {
    case status, fields, remove, body, delay, rate, stall, faults, violations
    static let mapName = "\"pass\""
}

/// The only key of an answer that is passed.
enum PassedKey: String, MapKey {
    case pass
    static let mapName = "an answer that is passed"
}

extension ProxyRule {
    /// Reads a list of rules.
    static var listReader: Reader<[ProxyRule]> {
        Reader { node, problems in
            guard let nodes = node.elements else {
                problems.add(at: node.position, found: node.summary, expected: "a list of rules")
                return nil
            }
            let rules = nodes.enumerated().compactMap { decode($1, place: $0 + 1, problems) }
            checkLabels(rules, nodes, problems)
            return rules
        }
    }

    private static func checkLabels(_ rules: [ProxyRule], _ nodes: [YAMLNode], _ problems: ProblemCollector) {
        var labels: Set<String> = []
        for (rule, node) in zip(rules, nodes) where !labels.insert(rule.route.label).inserted {
            problems.add(
                at: node.position,
                found: "label \(YAMLNode.quoted(rule.route.label)) of another rule",
                expected: "a label of its own"
            )
        }
    }

    private static func decode(_ node: YAMLNode, place: Int, _ problems: ProblemCollector) -> ProxyRule? {
        guard let map = MapReader<RuleKey>(node, problems) else { return nil }
        let answers = decodeAnswers(map)
        guard var route = Route.decode(routeNode(node), place: place, problems) else { return nil }
        route.answers = answers.map { _ in Answer() }
        var rule = ProxyRule(route: route, answers: answers)
        map.set(&rule.response, .response, ResponseMatch.reader)
        map.set(&rule.requests, .requests, numbers)
        map.set(&rule.chance, .chance, chance)
        return rule
    }

    /// The keys of a route, with an answer, which a route must have.
    private static func routeNode(_ node: YAMLNode) -> YAMLNode {
        let own = (node.pairs ?? []).filter { RuleKey(rawValue: $0.key)?.isOfRoute == true }
        let answer = YAMLNode(.mapping([]), at: node.position)
        let pair = YAMLPair(key: RuleKey.answer.rawValue, at: node.position, value: answer)
        return YAMLNode(.mapping(own + [pair]), at: node.position)
    }

    private static func decodeAnswers(_ map: MapReader<RuleKey>) -> [RuleAnswer] {
        let passed = [RuleAnswer.pass(Passing())]
        guard (map[.answer] == nil) != (map[.answers] == nil) else {
            let found = map[.answer] == nil ? "a rule without an answer" : "both \"answer\" and \"answers\""
            map.problems.add(at: map.position, found: found, expected: "one of \"answer\" and \"answers\"")
            return passed
        }
        if map[.answer] != nil { return map.optional(.answer, RuleAnswer.reader).map { [$0] } ?? passed }
        let answers = map.optional(.answers, RuleAnswer.reader.list()) ?? passed
        if answers.isEmpty, let node = map[.answers], node.elements?.isEmpty == true {
            map.problems.add(at: node.position, found: "an empty list", expected: "at least one answer")
        }
        return answers.isEmpty ? passed : answers
    }

    private static var numbers: Reader<ClosedRange<Int>> {
        Reader(expected: "a number from 1, or two as in 2..4") { scalar in
            let parts = scalar.text.split(separator: ".", omittingEmptySubsequences: true).map { Int($0) }
            guard let low = parts.first ?? nil, low > 0, parts.count <= 2 else { return nil }
            if parts.count == 1 { return scalar.text.contains(".") ? nil : low...low }
            guard scalar.text.contains(".."), let high = parts[1], high >= low else { return nil }
            return low...high
        }
    }

    private static var chance: Reader<Double> {
        Reader(expected: "a share above 0 and up to 1, such as 30% or 0.3") { scalar in
            Fault.share(scalar.text).flatMap { $0 > 0 ? $0 : nil }
        }
    }
}

extension RuleAnswer {
    /// `pass`, a fault or several as text, `{pass: {…}}`, or an answer of a site file.
    static var reader: Reader<RuleAnswer> {
        Reader { node, problems in
            if let text = node.scalarText {
                if text == PassedKey.pass.rawValue { return .pass(Passing()) }
                return passing(text, at: node.position, problems).map { .pass($0) }
            }
            guard node.value(of: PassedKey.pass.rawValue) != nil else {
                return Answer.reader.read(node, problems).map { .own($0) }
            }
            return MapReader<PassedKey>(node, problems)?.optional(.pass, Passing.reader).map { .pass($0) }
        }
    }

    private static func passing(_ text: String, at position: Position, _ problems: ProblemCollector)
        -> Passing?
    {
        do throws(FaultTextProblem) {
            let faults = try Fault.list(text: text)
            return Passing.of(faults, at: position, problems)
        } catch {
            problems.add(at: position, found: error.found, expected: "pass, or a fault: \(error.expected)")
            return nil
        }
    }
}

extension ResponseMatch {
    /// `{status: 200, type: image/*, fields: {…}}`.
    static var reader: Reader<ResponseMatch> {
        Reader { node, problems in
            guard let map = MapReader<ResponseKey>(node, problems) else { return nil }
            var match = ResponseMatch()
            map.set(&match.statuses, .status, statuses.oneOrMore())
            map.set(&match.type, .type, Reader.text.map { $0.lowercased() })
            map.set(&match.fields, .fields, NamedMatch.fieldListReader)
            return match
        }
    }

    private static var statuses: Reader<ClosedRange<Int>> {
        Reader(expected: "a status from 100 to 999, or a class such as 5xx") { scalar in
            if let status = Int(scalar.text) { return (100...999).contains(status) ? status...status : nil }
            guard scalar.text.hasSuffix("xx"), let first = Int(scalar.text.dropLast(2)),
                (1...9).contains(first)
            else { return nil }
            return first * 100...first * 100 + 99
        }
    }
}

extension Passing {
    /// A map of changes.
    static var reader: Reader<Passing> {
        Reader { node, problems in
            guard let map = MapReader<PassKey>(node, problems) else { return nil }
            var passing = Passing()
            map.set(&passing.status, .status, .integer(in: 200...999))
            map.set(&passing.fields, .fields, FieldLine.listReader)
            map.set(&passing.removed, .remove, Reader.fieldName.oneOrMore())
            map.set(&passing.body, .body, Reader.text.map { Array($0.utf8) })
            map.set(
                &passing.violations,
                .violations,
                Reader<PassViolation>.choice.oneOrMore().map { Set($0) }
            )
            passing.readFaults(map)
            return passing
        }
    }

    private mutating func readFaults(_ map: MapReader<PassKey>) {
        if let delay = map.optional(.delay, .duration) {
            faults.append(Fault(.delay(RandomRange(delay)), at: .beforeHead))
        }
        if let place = map.optional(.stall, Reader<StallPoint>.choice) {
            faults.append(Fault(.stall(.untilReleased), at: place == .head ? .beforeHead : .body))
        }
        if let rate = map.optional(.rate, Reader.size.when({ $0 > 0 }, expected: "a size above 0")) {
            faults.append(Fault(.slow(bytesPerSecond: rate), at: .body))
        }
        guard let listed = map.optional(.faults, Fault.listReader), let node = map[.faults] else { return }
        if Self.of(listed, at: node.position, map.problems) != nil { faults += listed }
    }

    /// Returns the passing with faults; reports those that are not of one request.
    static func of(_ faults: [Fault], at position: Position, _ problems: ProblemCollector) -> Passing? {
        for fault in faults where fault.event.isOfConnection || fault.path != .any {
            problems.add(
                at: position,
                found: fault.event.isOfConnection
                    ? "a fault at \(fault.event.rawValue)" : "a fault with a path",
                expected: "it among the faults of the whole proxy"
            )
            return nil
        }
        var passing = Passing()
        passing.faults = faults
        return passing
    }
}
