package import LocatedYAML
import OriginScript

extension ScenarioReading {
    /// Decodes the caller's expectation.
    func callerExpectation(_ node: YAMLNode) -> CallerExpectation? {
        guard let map = MapReader<ExpectKey>(node, problems) else { return nil }
        var expectation = CallerExpectation()
        read(map, by: ExpectKey.table, into: &expectation)
        return expectation
    }

    /// Reads an error code or its name, or a list of alternatives.
    package static var errorCodes: Reader<[Int]> {
        Reader<Int> { node, problems in
            if let text = node.scalarText, let code = Int(text), code < 0 { return code }
            let word = Reader.word(of: ErrorCode.names.map(\.name))
            return word.read(node, problems).flatMap(ErrorCode.code)
        }
        .oneOrMore()
    }

    /// Reads field names with the expectations for their values.
    package var expectedFields: Reader<[Located<FieldExpectation>]> {
        Reader { node, problems in
            guard let pairs = node.pairs else {
                problems.add(node, expected: "a map of field names")
                return nil
            }
            return pairs.compactMap { pair in
                let name = YAMLNode(.scalar(YAMLScalar(pair.key, isPlain: false)), at: pair.keyPosition)
                guard let name = Reader.fieldName.read(name, problems),
                    let value = ValueExpectation.reader.read(pair.value, problems)
                else { return nil }
                return Located(FieldExpectation(name: name, value: value), at: pair.value.position)
            }
        }
    }

    /// Reads a text, or a map with one of `size`, `same-as` and `contains`.
    package var expectedBody: Reader<BodyExpectation> {
        Reader { [self] node, problems in
            guard node.pairs != nil else {
                return Reader(expected: "text, or a map with one of size, same-as, contains") {
                    .text($0.text)
                }
                .read(node, problems)
            }
            guard let map = MapReader<ExpectedBodyKey>(node, problems) else { return nil }
            guard map.keys.count == 1, let key = map.keys.first else {
                problems.add(
                    at: map.position,
                    found: "\(map.keys.count) expectations of a body",
                    expected: "one of size, same-as, contains"
                )
                return nil
            }
            switch key {
            case .size: return map.optional(.size, .size).map { .size($0) }
            case .sameAs: return map.optional(.sameAs, requestLabel).map { .sameAs($0) }
            case .contains: return map.optional(.contains, .text).map { .contains($0) }
            }
        }
    }

    /// Reads the parameters of Cache-Status with the expectations for their values.
    var cacheStatus: Reader<[Located<CacheStatusExpectation>]> {
        Reader { node, problems in
            guard let map = MapReader<CacheStatusKey>(node, problems) else { return nil }
            return map.keys.compactMap { key in
                map.located(key, Self.cacheStatusValue(of: key)).map { value in
                    let expectation = CacheStatusExpectation(parameter: key.rawValue, value: value.value)
                    return Located(expectation, at: value.position)
                }
            }
        }
    }

    private static func cacheStatusValue(of key: CacheStatusKey) -> Reader<ValueExpectation> {
        switch key {
        case .hit, .stored, .collapsed: Reader.bool.map { $0 ? .equal(.text("true")) : .absent }
        case .fwd, .fwdStatus, .ttl, .key, .detail: ValueExpectation.reader
        }
    }

    /// A duration, or a comparison of durations, in seconds.
    package static var seconds: Reader<NumberExpectation> { comparison(of: Reader.duration.map(\.inSeconds)) }

    /// Returns a reader of a number, or of a map of `greater`, `less`, `at-least`, `at-most`.
    package static func comparison(of number: Reader<Double>) -> Reader<NumberExpectation> {
        Reader { node, problems in
            guard node.pairs != nil else { return number.read(node, problems).map { .equal($0) } }
            guard let map = MapReader<ComparisonKey>(node, problems) else { return nil }
            return .comparison(NumberBounds(map, number), at: node, problems)
        }
    }
}

/// The bounds of a comparison as they are given.
struct NumberBounds {
    var greater: Double?
    var less: Double?
    var atLeast: Double?
    var atMost: Double?

    init(_ map: MapReader<ComparisonKey>, _ number: Reader<Double>) {
        greater = map.optional(.greater, number)
        less = map.optional(.less, number)
        atLeast = map.optional(.atLeast, number)
        atMost = map.optional(.atMost, number)
    }
}

extension NumberExpectation {
    /// Combines the bounds of one map; open and closed bounds cannot be mixed.
    static func comparison(
        _ bounds: NumberBounds,
        at node: YAMLNode,
        _ problems: ProblemCollector
    ) -> NumberExpectation? {
        let isStrict = bounds.greater != nil || bounds.less != nil
        let isInclusive = bounds.atLeast != nil || bounds.atMost != nil
        switch (isStrict, isInclusive) {
        case (true, false): return .strictly(greater: bounds.greater, less: bounds.less)
        case (false, true): return .range(atLeast: bounds.atLeast, atMost: bounds.atMost)
        case (true, true):
            problems.add(
                at: node.position,
                found: "\"greater\" or \"less\" with \"at-least\" or \"at-most\"",
                expected: "only one kind of bounds"
            )
        case (false, false) where node.pairs?.isEmpty == true:
            problems.add(
                at: node.position,
                found: "an empty comparison",
                expected: "one of greater, less, at-least, at-most"
            )
        case (false, false): break
        }
        return nil
    }
}

extension ValueExpectation {
    /// Reads a text, `absent`, `present`, or a map with one condition.
    static var reader: Reader<ValueExpectation> {
        Reader { node, problems in
            guard node.pairs != nil else { return scalar.read(node, problems) }
            guard let map = MapReader<ExpectedValueKey>(node, problems) else { return nil }
            return decode(map)
        }
    }

    private static var scalar: Reader<ValueExpectation> {
        Reader { node, problems in
            guard let text = Reader.fieldText.read(node, problems) else { return nil }
            guard case .scalar(let scalar) = node.content, scalar.isPlain else { return .equal(.text(text)) }
            switch text {
            case "absent": return .absent
            case "present": return .present
            default: return .equal(.text(text))
            }
        }
    }

    private static func decode(_ map: MapReader<ExpectedValueKey>) -> ValueExpectation? {
        let comparisons: [ExpectedValueKey] = [.greater, .less, .atLeast, .atMost]
        let keys = map.keys
        // A mistyped key has already been reported.
        guard keys.count == map.node.pairs?.count else { return nil }
        if keys.contains(where: { [.date, .fixedDate, .form].contains($0) }) {
            return FieldValue.decodeMoment(map.node, map.problems).map { .equal($0) }
        }
        if keys.allSatisfy(comparisons.contains) {
            return ScenarioReading.comparison(of: .number).read(map.node, map.problems).map { .number($0) }
        }
        switch (keys.count, keys.first) {
        case (1, .not): return map.optional(.not, .fieldText).map { .not($0) }
        case (1, .contains): return map.optional(.contains, .fieldText).map { .contains($0) }
        default:
            map.problems.add(
                at: map.position,
                found: keys.map { "\"\($0.rawValue)\"" }.joined(separator: " with "),
                expected: "one condition"
            )
            return nil
        }
    }
}

extension Reader where Value == [String: String] {
    /// Reads a map of texts.
    static var textMap: Reader {
        Reader { node, problems in
            guard let pairs = node.pairs else {
                problems.add(node, expected: "a map of names to text")
                return nil
            }
            var result: [String: String] = [:]
            for pair in pairs { result[pair.key] = Reader<String>.text.read(pair.value, problems) }
            return result
        }
    }
}

extension Duration {
    /// The whole duration in seconds, including the fraction.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
