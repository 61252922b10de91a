public import JSON

extension YAMLNode {
    /// Parses one JSON text (RFC 8259); `file` is its name in positions, whose columns count characters.
    ///
    /// Texts are read as quoted scalars, numbers, `true`, `false` and `null` as plain ones. A key twice in a map is
    /// refused.
    public static func parse(json text: String, file: String) throws(YAMLProblems) -> YAMLNode {
        if text.utf8.count > ParseLimits.bytes {
            let found = "a file of \(text.utf8.count) bytes"
            let start = Position(file: file, line: 1, column: 1)
            throw YAMLProblems([
                Problem(at: start, found: found, expected: "at most \(ParseLimits.bytes) bytes")
            ])
        }
        let limits = JSONLimits(depth: ParseLimits.depth, values: ParseLimits.nodes)
        var parser = JSONParser(Array(text.utf8), form: NodeForm(file: file), limits: limits)
        do throws(JSONProblem) {
            return try parser.parse()
        } catch {
            let position = Position(error.place, in: file)
            throw YAMLProblems([Problem(at: position, found: error.found, expected: error.expected)])
        }
    }
}

extension Position {
    fileprivate init(_ place: JSONPlace, in file: String) {
        self.init(file: file, line: place.line, column: place.column)
    }
}

/// JSON as nodes of a file.
private struct NodeForm: JSONForm {
    let file: String

    func word(_ word: JSONWord, at place: JSONPlace) -> YAMLNode { plain(word.rawValue, at: place) }

    func number(_ number: JSONNumber, at place: JSONPlace) -> YAMLNode { plain(number.text, at: place) }

    func string(_ text: String, at place: JSONPlace) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(text, isPlain: false)), at: Position(place, in: file))
    }

    private func plain(_ text: String, at place: JSONPlace) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(text, isPlain: true)), at: Position(place, in: file))
    }

    func array(_ elements: [YAMLNode], at place: JSONPlace) -> YAMLNode {
        YAMLNode(.sequence(elements), at: Position(place, in: file))
    }

    func member(_ name: String, _ value: YAMLNode, at place: JSONPlace) -> YAMLPair {
        YAMLPair(key: name, at: Position(place, in: file), value: value)
    }

    func object(_ members: [YAMLPair], at place: JSONPlace) -> YAMLNode {
        YAMLNode(.mapping(members), at: Position(place, in: file))
    }

    func check(_ name: String, after members: [YAMLPair], at place: JSONPlace) throws(JSONProblem) {
        guard members.index(of: name) != nil else { return }
        throw JSONProblem(
            at: place,
            found: "key \(YAMLNode.quoted(name)) more than once in a map",
            expected: "each key once"
        )
    }
}

extension JSONValue {
    /// Creates the JSON of what was read from a file, with its numbers as they stand there.
    ///
    /// A plain scalar that JSON has no word for, such as `007` or `yes`, becomes a string.
    public init(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar): self.init(scalar)
        case .sequence(let nodes): self = .array(nodes.map { JSONValue($0) })
        case .mapping(let pairs): self = .object(pairs.map { ($0.key, JSONValue($0.value)) })
        }
    }

    private init(_ scalar: YAMLScalar) {
        if scalar.isNull {
            self = .null
        } else if scalar.isPlain, scalar.text == "true" || scalar.text == "false" {
            self = .bool(scalar.text == "true")
        } else if scalar.isPlain, let number = JSONNumber(scalar.text) {
            self = .number(number)
        } else {
            self = .string(scalar.text)
        }
    }
}
