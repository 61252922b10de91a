import Yams

extension YAMLNode {
    /// Parses a file of one YAML document; `file` is its name in positions.
    public static func parse(_ text: String, file: String) throws(YAMLProblems) -> YAMLNode {
        // A byte order mark (YAML 1.2.2 §5.2) would count as a column.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        if let problem = ParseLimits.refusal(of: text, file: file) { throw YAMLProblems([problem]) }
        let problems = ProblemCollector()
        var conversion = Conversion(file: file, problems: problems)
        let node = conversion.convert(try compose(text, file: file), depth: 0)
        try problems.throwIfAny()
        return node
    }

    private static func compose(_ text: String, file: String) throws(YAMLProblems) -> Node {
        do {
            // The basic resolver leaves scalars untyped: readers decide which type they expect.
            if let root = try Yams.compose(yaml: text, .basic) { return root }
        } catch {
            throw YAMLProblems([problem(from: error, file: file)])
        }
        let start = Position(file: file)
        throw YAMLProblems(at: start, found: "an empty file", expected: "a map")
    }

    private static func problem(from error: any Error, file: String) -> Problem {
        let start = Position(file: file)
        guard let error = error as? YamlError else { return syntaxProblem(at: start, "unreadable") }
        switch error {
        case .scanner(_, let text, let mark, _), .parser(_, let text, let mark, _),
            .composer(_, let text, let mark, _):
            return syntaxProblem(at: position(mark, file), text)
        case .reader(let text, let offset, _, let yaml):
            return syntaxProblem(at: position(ofCharacter: offset ?? 0, in: yaml, file), text)
        case .duplicatedKeysInMapping(let keys, let context):
            return Problem(
                at: position(context.mark, file),
                found: "key \(keys.sorted().map(quoted).joined(separator: ", ")) more than once in a map",
                expected: "each key once"
            )
        default:
            return syntaxProblem(at: start, "unreadable")
        }
    }

    private static func syntaxProblem(at position: Position, _ text: String) -> Problem {
        Problem(
            at: position,
            found: "text that is not YAML (\(text.hasPrefix("but ") ? String(text.dropFirst(4)) : text))",
            expected: "YAML"
        )
    }

    private static func position(_ mark: Mark, _ file: String) -> Position {
        Position(file: file, line: mark.line, column: mark.column)
    }

    private static func position(ofCharacter offset: Int, in text: String, _ file: String) -> Position {
        let before = text.prefix(offset)
        let line = before.count(where: { $0.isNewline }) + 1
        let column = before.reversed().prefix { !$0.isNewline }.count + 1
        return Position(file: file, line: line, column: column)
    }
}

/// Converts Yams' nodes, within limits.
private struct Conversion {
    let file: String
    let problems: ProblemCollector
    var remainingNodes = ParseLimits.nodes
    var isOverLimit = false

    mutating func convert(_ node: Node, depth: Int) -> YAMLNode {
        let position = Position(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
        let isWithin = isWithinLimits(depth: depth, at: position)
        return YAMLNode(isWithin ? content(of: node, depth: depth) : .sequence([]), at: position)
    }

    private mutating func content(of node: Node, depth: Int) -> YAMLContent {
        switch node {
        case .scalar(let scalar):
            let isPlain = scalar.style == .plain || scalar.style == .any
            return .scalar(YAMLScalar(scalar.string, isPlain: isPlain))
        case .sequence(let sequence): return .sequence(sequence.map { convert($0, depth: depth + 1) })
        case .mapping(let mapping): return .mapping(pairs(of: mapping, depth: depth))
        // Yams' composer resolves every alias; only trees built by hand have this case.
        case .alias: return .sequence([])
        }
    }

    private mutating func isWithinLimits(depth: Int, at position: Position) -> Bool {
        remainingNodes -= 1
        guard !isOverLimit, let excess = excess(depth: depth) else { return !isOverLimit }
        isOverLimit = true
        problems.add(at: position, found: excess.found, expected: excess.expected)
        return false
    }

    private func excess(depth: Int) -> (found: String, expected: String)? {
        if depth > ParseLimits.depth {
            return ("lists and maps nested deeper than \(ParseLimits.depth)", "a flatter file")
        }
        guard remainingNodes < 0 else { return nil }
        let found = "more than \(ParseLimits.nodes) values, aliases counted as often as they are used"
        return (found, "a smaller file")
    }

    private mutating func pairs(of mapping: Node.Mapping, depth: Int) -> [YAMLPair] {
        var pairs: [YAMLPair] = []
        var merged: [YAMLPair] = []
        for (key, value) in mapping where !isOverLimit {
            let converted = convert(key, depth: depth + 1)
            guard case .scalar(let scalar) = converted.content else {
                problems.add(
                    at: converted.position,
                    found: "\(converted.summary) as a key",
                    expected: "text"
                )
                continue
            }
            let node = convert(value, depth: depth + 1)
            if scalar.text == "<<", scalar.isPlain {
                merged += mergedPairs(node)
            } else {
                pairs.append(YAMLPair(key: scalar.text, at: converted.position, value: node))
            }
        }
        for pair in merged where !pairs.contains(where: { $0.key == pair.key }) { pairs.append(pair) }
        return pairs
    }

    private func mergedPairs(_ node: YAMLNode) -> [YAMLPair] {
        switch node.content {
        case .mapping(let pairs): return pairs
        case .sequence(let nodes): return nodes.flatMap(mergedPairs)
        case .scalar:
            problems.add(
                at: node.position,
                found: "\(node.summary) to merge",
                expected: "a map or a list of maps"
            )
            return []
        }
    }
}
