package import LocatedYAML
import WireSyntax

/// The keys of a timestamp.
package enum MomentKey: String, MapKey {
    case date
    case fixedDate = "fixed-date"
    case form
    package static let mapName = "a moment"
}

extension FieldValue {
    /// A text, a number or a timestamp.
    package static var reader: Reader<FieldValue> { reader(of: .fieldText) }

    /// A text, a number or a timestamp; the text may have the variables of an answer.
    static var answerReader: Reader<FieldValue> { reader(of: .answerText) }

    private static func reader(of texts: Reader<String>) -> Reader<FieldValue> {
        Reader { node, problems in
            if node.pairs != nil { return decodeMoment(node, problems) }
            return texts.read(node, problems).map { .text($0) }
        }
    }

    /// Reads `{date: OFFSET}` or `{fixed-date: OFFSET}`, with an optional `form`.
    package static func decodeMoment(_ node: YAMLNode, _ problems: ProblemCollector) -> FieldValue? {
        guard let map = MapReader<MomentKey>(node, problems) else { return nil }
        let form = map.optional(.form, Reader<DateForm>.choice) ?? .imf
        guard (map[.date] == nil) != (map[.fixedDate] == nil) else {
            let found = map[.date] == nil ? "no date" : "both \"date\" and \"fixed-date\""
            problems.add(at: map.position, found: found, expected: "one of \"date\" and \"fixed-date\"")
            return nil
        }
        if let offset = map.optional(.date, .offsetSeconds) {
            return .date(offset: .seconds(offset), form: form)
        }
        return map.optional(.fixedDate, .offsetSeconds).map { .fixedDate(offset: .seconds($0), form: form) }
    }
}

extension FieldLine {
    /// A map of name to value, or a list of `[name, value]` pairs; a value may be a list, one line each.
    package static var listReader: Reader<[FieldLine]> { list(of: FieldValue.reader) }

    /// As `listReader`; values may have the variables of an answer.
    static var answerListReader: Reader<[FieldLine]> { list(of: FieldValue.answerReader) }

    private static func lines(
        _ pair: YAMLPair,
        _ values: Reader<FieldValue>,
        _ problems: ProblemCollector
    ) -> [FieldLine] {
        let name = YAMLNode(.scalar(YAMLScalar(pair.key, isPlain: false)), at: pair.keyPosition)
        return lines(name: name, value: pair.value, values, problems)
    }

    private static func list(of values: Reader<FieldValue>) -> Reader<[FieldLine]> {
        Reader { node, problems in
            if let pairs = node.pairs { return pairs.flatMap { lines($0, values, problems) } }
            guard let elements = node.elements else {
                problems.add(
                    node,
                    expected: "a map of field names to values, or a list of [name, value] pairs"
                )
                return nil
            }
            return elements.flatMap { pairLines($0, values, problems) }
        }
    }

    private static func pairLines(
        _ node: YAMLNode,
        _ values: Reader<FieldValue>,
        _ problems: ProblemCollector
    ) -> [FieldLine] {
        guard let pair = node.elements, pair.count == 2 else {
            problems.add(node, expected: "a [name, value] pair")
            return []
        }
        return lines(name: pair[0], value: pair[1], values, problems)
    }

    private static func lines(
        name: YAMLNode,
        value: YAMLNode,
        _ reader: Reader<FieldValue>,
        _ problems: ProblemCollector
    ) -> [FieldLine] {
        guard let name = Reader.fieldName.read(name, problems) else { return [] }
        let values = reader.oneOrMore().read(value, problems) ?? []
        return values.map { FieldLine(name, $0) }
    }
}

extension Reader where Value == String {
    /// A field name: a token of RFC 9110 §5.6.2.
    package static var fieldName: Reader { token(expected: "a field name") }

    /// A method: a token of RFC 9110 §5.6.2.
    package static var method: Reader { token(expected: "a method") }

    /// Text on one line, without variables.
    static var line: Reader {
        Reader.text
            .when({ !$0.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 } }, expected: "text on one line")
    }

    /// A field value: text on one line, whose only `${…}` are the known ones.
    package static var fieldText: Reader {
        line.when(hasKnownVariables, expected: "only the variables ${base}, ${other} and ${now}")
    }

    /// A field value of an answer: text on one line with the variables of a template.
    static var answerText: Reader {
        line.when(
            { Template($0) != nil },
            expected:
                "only the variables ${base}, ${other}, ${now} and those of the request, such as ${path.id}"
        )
    }

    /// An absolute path without query.
    package static var path: Reader {
        requestPath.when({ !$0.contains("#") }, expected: "a path without query and fragment")
    }

    /// An absolute path without query, as a caller writes it: a fragment may follow.
    package static var requestPath: Reader {
        Reader(expected: "a path that begins with \"/\" and has no query") { scalar in
            let isPath = scalar.text.hasPrefix("/") && scalar.text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
            return isPath && !scalar.text.contains("?") ? scalar.text : nil
        }
    }

    /// A query without its question mark.
    package static var query: Reader {
        Reader(expected: "a query without \"?\", spaces and \"#\"") { scalar in
            let isQuery = scalar.text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
            return isQuery && !scalar.text.hasPrefix("?") && !scalar.text.contains("#") ? scalar.text : nil
        }
    }

    private static func token(expected: String) -> Reader {
        Reader(expected: expected) { Token.isToken($0.text) ? $0.text : nil }
    }

    private static func hasKnownVariables(_ text: String) -> Bool {
        text.split(separator: "${", omittingEmptySubsequences: false).dropFirst().allSatisfy { rest in
            rest.hasPrefix("base}") || rest.hasPrefix("other}") || rest.hasPrefix("now}")
        }
    }
}
