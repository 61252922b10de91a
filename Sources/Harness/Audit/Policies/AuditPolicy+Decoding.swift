import HTTPTypes
public import LocatedYAML
import WireSyntax

/// Keys of a policy.
enum PolicyKey: String, MapKey {
    case site, urls, rules, ignore
    static let mapName = "a policy"
}

/// Keys of a rule.
enum PolicyRuleKey: String, MapKey {
    case name, match, expect, level, with
    static let mapName = "a rule"
}

/// Keys of a match.
enum PolicyMatchKey: String, MapKey {
    case path, host, type, status, method
    static let mapName = "a match"
}

/// Keys of what a rule expects.
enum PolicyExpectKey: String, MapKey {
    case shared, immutable, validator, conditional
    case browser = "private"
    case variesOn = "varies-on"
    case notSharedBetween = "not-shared-between"
    static let mapName = "an expectation"
}

/// Keys of an exception.
enum PolicyIgnoreKey: String, MapKey {
    case url, rule, until, why
    static let mapName = "an exception"
}

extension AuditPolicy {
    /// Reads a policy, as docs/audit.md describes it; `file` is its name in problems, all of which are thrown.
    public init(text: String, file: String) throws(YAMLProblems) { self = try Self.decode(text, file: file) }

    /// Reads a policy; `file` is its name in problems.
    package static func decode(_ text: String, file: String) throws(YAMLProblems) -> AuditPolicy {
        let problems = ProblemCollector()
        let root = try YAMLNode.parse(text, file: file)
        var policy = AuditPolicy()
        MapReader(root, problems, keys: PolicyKey.self).map { policy.read($0) }
        try problems.throwIfAny()
        return policy
    }

    private mutating func read(_ map: MapReader<PolicyKey>) {
        position = map.position
        site = map.located(.site, Reader<String>.site)
        urls = map.optional(.urls, Reader<String>.url(hasSite: site != nil).located().list()) ?? []
        rules = map.optional(.rules, Reader<PolicyRule>.policyRule.list()) ?? []
        ignores = map.optional(.ignore, Reader<PolicyIgnore>.policyIgnore.list()) ?? []
        if map[.rules] == nil, map[.ignore] == nil {
            let expected = "\"rules\" or \"ignore\""
            map.problems.add(at: map.position, found: "a policy without rules", expected: expected)
        }
    }
}

extension Reader where Value == String {
    fileprivate static var site: Reader {
        Reader(expected: "an origin such as https://example.com") { scalar in
            guard let parts = URLParts(scalar.text), parts.isHTTP, parts.target == "/" else { return nil }
            return parts.origin
        }
    }

    fileprivate static func url(hasSite: Bool) -> Reader {
        Reader(
            expected: hasSite
                ? "a path or an http or https URL" : "an http or https URL, or a path with \"site\""
        ) {
            if hasSite, $0.text.hasPrefix("/") { return $0.text }
            return URLParts($0.text).flatMap { $0.isHTTP ? $0.origin + $0.target : nil }
        }
    }
}

extension Reader where Value == PolicyPattern {
    fileprivate static var pattern: Reader { Reader<String>.text.map { PolicyPattern($0) } }

    fileprivate static var caselessPattern: Reader {
        Reader<String>.text.map { PolicyPattern($0.lowercased()) }
    }
}

extension Reader where Value == PolicyRule {
    fileprivate static var policyRule: Reader {
        Reader { node, problems in
            guard let map = MapReader(node, problems, keys: PolicyRuleKey.self),
                let match = map.required(.match, Reader<PolicyMatch>.policyMatch),
                let expectations = map.required(.expect, Reader<[Located<PolicyExpectation>]>.expectations)
            else { return nil }
            let name = map.optional(.name, .text) ?? Self.name(of: map[.match])
            return PolicyRule(
                name: name,
                position: node.position,
                match: match,
                expectations: expectations,
                level: map.optional(.level, .choice) ?? .error,
                callers: callers(map, expectations, problems)
            )
        }
    }

    private static func name(of match: YAMLNode?) -> String {
        guard let pairs = match?.pairs, !pairs.isEmpty else { return match?.scalarText ?? "rule" }
        return pairs.map { "\($0.key) \($0.value.scalarText ?? "")" }.joined(separator: ", ")
    }

    /// Returns the made-up callers, which are needed by, and useful for, one expectation only.
    private static func callers(
        _ map: MapReader<PolicyRuleKey>,
        _ expectations: [Located<PolicyExpectation>],
        _ problems: ProblemCollector
    ) -> [HTTPFields] {
        let callers = map.optional(.with, Reader<HTTPFields>.callerFields.list()) ?? []
        let isCompared = expectations.contains { $0.value == .notSharedBetweenCallers }
        if isCompared, callers.count < 2 {
            problems.add(
                at: map.position,
                found: "not-shared-between with \(callers.count) callers",
                expected: "at least two sets of fields in \"with\""
            )
        } else if !isCompared, map[.with] != nil {
            problems.add(
                at: map.position(of: .with),
                found: "\"with\"",
                expected: "it only together with \"not-shared-between\" in \"expect\""
            )
        }
        return callers
    }
}

extension Reader where Value == PolicyMatch {
    fileprivate static var policyMatch: Reader {
        Reader { node, problems in
            if let text = node.scalarText { return PolicyMatch(path: PolicyPattern(text)) }
            guard let map = MapReader(node, problems, keys: PolicyMatchKey.self) else { return nil }
            return PolicyMatch(
                path: map.optional(.path, .pattern),
                host: map.optional(.host, .caselessPattern),
                type: map.optional(.type, .caselessPattern),
                status: map.optional(.status, Reader<Int>.integer(in: 100...599).oneOrMore()),
                method: map.optional(.method, Reader<String>.method.oneOrMore())
            )
        }
    }
}

extension Reader where Value == String {
    /// The method of a request, which is case-sensitive (RFC 9110 §9.1).
    fileprivate static var method: Reader {
        Reader(expected: "a method in capitals, such as POST") { scalar in
            let isUsual =
                !scalar.text.isEmpty && scalar.text.allSatisfy { $0.isASCII && ($0.isUppercase || $0 == "-") }
            return isUsual ? scalar.text : nil
        }
    }
}

extension Reader where Value == HTTPFields {
    fileprivate static var callerFields: Reader {
        Reader { node, problems in
            guard let pairs = node.pairs else {
                problems.add(node, expected: "a map of field names to values")
                return nil
            }
            var fields = HTTPFields()
            for pair in pairs {
                guard let name = HTTPField.Name(pair.key), let value = pair.value.scalarText else {
                    problems.add(
                        at: pair.keyPosition,
                        found: YAMLNode.quoted(pair.key),
                        expected: "a field with a value"
                    )
                    continue
                }
                fields[name] = value
            }
            return fields
        }
    }
}

extension Reader where Value == [Located<PolicyExpectation>] {
    fileprivate static var expectations: Reader {
        Reader { node, problems in
            guard let map = MapReader(node, problems, keys: PolicyExpectKey.self) else { return nil }
            if map.keys.isEmpty {
                problems.add(at: map.position, found: "an empty map", expected: "at least one expectation")
            }
            return map.keys.compactMap { key in
                expectation(key, map).map { Located($0, at: map.position(of: key)) }
            }
        }
    }

    private static func expectation(_ key: PolicyExpectKey, _ map: MapReader<PolicyExpectKey>)
        -> PolicyExpectation?
    {
        switch key {
        case .browser: map.optional(key, .lifetime).map { .browser($0) }
        case .shared: map.optional(key, .lifetime).map { .shared($0) }
        case .immutable: map.optional(key, .bool).map { .immutable($0) }
        case .validator: map.optional(key, Reader<ValidatorStrength>.choice).map { .validator($0) }
        case .conditional: map.optional(key, .integer(in: 200...599)).map { .conditional($0) }
        case .variesOn:
            map.optional(key, Reader<String>.text.list()).map { names in
                .variesOn(names.map { $0.lowercased() }.sorted())
            }
        case .notSharedBetween:
            map.optional(key, .word(of: ["callers"])).map { _ in .notSharedBetweenCallers }
        }
    }
}

extension Reader where Value == LifetimeExpectation {
    fileprivate static var lifetime: Reader {
        Reader(expected: "not-stored, stored, revalidates, or a time such as \">= 1y\" or \"<= 60s\"") {
            LifetimeExpectation($0.text)
        }
    }
}

extension Reader where Value == String {
    /// Why a finding is ignored.
    fileprivate static var reason: Reader {
        Reader(expected: "a reason") { $0.text.contains { !$0.isWhitespace } ? $0.text : nil }
    }
}

extension Reader where Value == PolicyIgnore {
    fileprivate static var policyIgnore: Reader {
        Reader { node, problems in
            guard let map = MapReader(node, problems, keys: PolicyIgnoreKey.self),
                let url = map.required(.url, Reader<PolicyPattern>.pattern),
                let why = map.required(.why, Reader<String>.reason)
            else { return nil }
            return PolicyIgnore(
                position: node.position,
                url: url,
                rule: map.optional(.rule, .word(of: AuditRule.all.map(\.id))),
                until: map.optional(.until, Reader<Int64>.day),
                why: why
            )
        }
    }
}

extension Reader where Value == Int64 {
    /// The end of a day, in seconds since 1970.
    fileprivate static var day: Reader {
        Reader(expected: "a day such as 2027-01-31") { scalar in
            Timestamp.parse(scalar.text + "T00:00:00Z").map { Int64($0) + 86_400 }
        }
    }
}
