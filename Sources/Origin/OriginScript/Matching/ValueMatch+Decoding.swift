package import LocatedYAML

/// The keys of a condition on a value.
package enum ValueMatchKey: String, MapKey {
    case not, contains, matches
    package static let mapName = "a condition on a value"
}

/// The keys of conditions on content.
package enum BodyMatchKey: String, MapKey {
    case not, contains, matches, json, form, parts
    package static let mapName = "conditions on a body"
}

extension TextPattern {
    /// A pattern of the small kind.
    static var reader: Reader<TextPattern> {
        let expected =
            "a pattern of characters, \".\", sets, groups, \"|\" and repetitions that has to match the whole value"
        return Reader(expected: expected) { TextPattern($0.text) }
    }
}

extension ValueMatch {
    /// A text, `present` or `absent` without quotes, or a map with one of `not`, `contains` and `matches`.
    package static var reader: Reader<ValueMatch> {
        Reader { node, problems in
            if node.pairs != nil { return decodeMap(node, problems) }
            if case .scalar(let scalar) = node.content, scalar.isPlain {
                if scalar.text == "present" { return .present }
                if scalar.text == "absent" { return .absent }
            }
            return Reader.text.read(node, problems).map { .equals($0) }
        }
    }

    private static func decodeMap(_ node: YAMLNode, _ problems: ProblemCollector) -> ValueMatch? {
        guard let map = MapReader<ValueMatchKey>(node, problems) else { return nil }
        switch onlyKey(map, node) {
        case nil: return nil
        case .not: return map.optional(.not, reader).map { .not($0) }
        case .contains: return map.optional(.contains, .text).map { .contains($0) }
        case .matches: return map.optional(.matches, TextPattern.reader).map { .matches($0) }
        }
    }

    /// Returns the condition's key; reports a map with several conditions or none.
    private static func onlyKey(_ map: MapReader<ValueMatchKey>, _ node: YAMLNode) -> ValueMatchKey? {
        let keys = map.keys
        if keys.count == 1 { return keys.first }
        // An unknown key alone was reported as that.
        guard keys.count > 1 || node.pairs?.isEmpty == true else { return nil }
        let found = "\(keys.count) conditions on one value"
        map.problems.add(at: map.position, found: found, expected: "one of not, contains, matches")
        return nil
    }
}

extension NamedMatch {
    /// A map of names to conditions.
    static var listReader: Reader<[NamedMatch]> { list(of: .text) }

    /// A map of field names to conditions.
    package static var fieldListReader: Reader<[NamedMatch]> { list(of: .fieldName) }

    private static func list(of names: Reader<String>) -> Reader<[NamedMatch]> {
        Reader { node, problems in
            guard let pairs = node.pairs else {
                let expected =
                    "a map of names to text, present, absent, {contains: …}, {matches: …} or {not: …}"
                problems.add(node, expected: expected)
                return nil
            }
            return pairs.compactMap { pair in
                let key = YAMLNode(.scalar(YAMLScalar(pair.key, isPlain: false)), at: pair.keyPosition)
                guard let name = names.read(key, problems) else { return nil }
                return ValueMatch.reader.read(pair.value, problems).map { NamedMatch(name, $0) }
            }
        }
    }
}

extension QueryMatch {
    /// An exact query, `absent` without quotes, or a map of parameters to conditions.
    package static var reader: Reader<QueryMatch> {
        Reader { node, problems in
            if case .scalar(let scalar) = node.content, scalar.isPlain, scalar.text == "absent" {
                return .absent
            }
            if node.pairs != nil {
                return NamedMatch.listReader.read(node, problems).map { .parameters($0) }
            }
            return Reader.query.read(node, problems).map { .exact($0) }
        }
    }
}

extension BodyMatch {
    /// A text, or a map with any of `contains`, `matches`, `not`, `json`, `form` and `parts`.
    package static var listReader: Reader<[BodyMatch]> {
        Reader { node, problems in
            guard node.pairs != nil else {
                return Reader.text.read(node, problems).map { [.text(.equals($0))] }
            }
            guard let map = MapReader<BodyMatchKey>(node, problems) else { return nil }
            return texts(map) + named(map)
        }
    }

    private static func texts(_ map: MapReader<BodyMatchKey>) -> [BodyMatch] {
        var matches: [BodyMatch] = []
        if let not = map.optional(.not, ValueMatch.reader) { matches.append(.text(.not(not))) }
        if let text = map.optional(.contains, .text) { matches.append(.text(.contains(text))) }
        if let pattern = map.optional(.matches, TextPattern.reader) {
            matches.append(.text(.matches(pattern)))
        }
        return matches
    }

    private static func named(_ map: MapReader<BodyMatchKey>) -> [BodyMatch] {
        let form = map.optional(.form, NamedMatch.listReader) ?? []
        let parts = map.optional(.parts, NamedMatch.listReader) ?? []
        return json(map) + form.map { .form($0) } + parts.map { .part($0) }
    }

    private static func json(_ map: MapReader<BodyMatchKey>) -> [BodyMatch] {
        guard let node = map[.json] else { return [] }
        guard let pairs = node.pairs else {
            let expected = "a map of paths such as $.user.name to conditions"
            map.problems.add(node, expected: expected)
            return []
        }
        return pairs.compactMap { json($0, map.problems) }
    }

    private static func json(_ pair: YAMLPair, _ problems: ProblemCollector) -> BodyMatch? {
        guard let path = JSONPath(pair.key) else {
            let expected = "a path such as $.user.name, $.items[0] or $.items[*].id"
            problems.add(at: pair.keyPosition, found: YAMLNode.quoted(pair.key), expected: expected)
            return nil
        }
        return ValueMatch.reader.read(pair.value, problems).map { .json(path, $0) }
    }
}
