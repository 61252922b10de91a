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
        case .response, .requests, .chance: false
        default: true
        }
    }
}

/// The keys of a condition on responses.
enum ResponseKey: String, MapKey {
    case status, type, fields
    static let mapName = "a condition on responses"
}

extension ProxyRule {
    /// Reads a list of rules.
    static var listReader: Reader<[ProxyRule]> {
        Reader { node, problems in
            guard let nodes = node.elements else {
                problems.add(node, expected: "a list of rules")
                return nil
            }
            return decode(nodes, beside: [], problems)
        }
    }

    /// Reads rules whose labels differ from each other and from others; one without a label gets the number of its place, or
    /// the next that is free.
    static func decode(_ nodes: [YAMLNode], beside others: [String], _ problems: ProblemCollector)
        -> [ProxyRule]
    {
        var labels = Set(others)
        var rules: [ProxyRule] = []
        for (index, node) in nodes.enumerated() {
            // In a file, a label is the rule's position, regardless of other labels.
            var place = index + 1
            while !others.isEmpty, labels.contains("\(place)") { place += 1 }
            guard let rule = decode(node, place: place, problems) else { continue }
            if !labels.insert(rule.route.label).inserted {
                problems.add(
                    at: node.position,
                    found: "label \(YAMLNode.quoted(rule.route.label)) of another rule",
                    expected: "a unique label"
                )
            }
            rules.append(rule)
        }
        return rules
    }

    private static func decode(_ node: YAMLNode, place: Int, _ problems: ProblemCollector) -> ProxyRule? {
        guard let map = MapReader<RuleKey>(node, problems) else { return nil }
        guard map[.answer] != nil || map[.answers] != nil else {
            problems.add(
                at: map.position,
                found: "a rule without an answer",
                expected: "one of \"answer\" and \"answers\""
            )
            return nil
        }
        guard let route = Route.decode(routeNode(node), place: place, problems, passes: true) else {
            return nil
        }
        var rule = ProxyRule(route: route)
        rule.written = node
        map.set(&rule.response, .response, ResponseMatch.reader)
        map.set(&rule.requests, .requests, numbers)
        map.set(&rule.chance, .chance, chance)
        return rule
    }

    private static func routeNode(_ node: YAMLNode) -> YAMLNode {
        YAMLNode(
            .mapping((node.pairs ?? []).filter { RuleKey(rawValue: $0.key)?.isOfRoute == true }),
            at: node.position
        )
    }

    private static var numbers: Reader<ClosedRange<Int>> {
        Reader(expected: "a number from 1, or a range such as 2..4") { scalar in
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
