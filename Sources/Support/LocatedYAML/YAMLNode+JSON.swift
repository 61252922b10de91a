public import JSON

/// The maximum size of a JSON text.
public enum JSONSize: Sendable {
    /// For files that people write: 4 MiB and half a million values.
    case file
    /// For files that programs write, such as archives of exchanges with their content: 2 GiB.
    case archive

    /// The size in bytes.
    var bytes: Int {
        switch self {
        case .file: ParseLimits.bytes
        case .archive: 2 << 30
        }
    }

    /// The number of values.
    var values: Int {
        switch self {
        case .file: ParseLimits.nodes
        case .archive: .max
        }
    }
}

extension YAMLNode {
    /// Parses one JSON text (RFC 8259); `file` is its name in positions, whose columns count characters.
    ///
    /// `line` is the line of the file at which the text begins, from 1; default 1.
    ///
    /// Strings become quoted scalars; numbers, `true`, `false` and `null` plain ones. Duplicate keys and texts beyond the
    /// limit are rejected.
    public static func parse(
        json text: String,
        file: String,
        line: Int = 1,
        size: JSONSize = .file
    ) throws(YAMLProblems) -> YAMLNode {
        let start = Position(file: file, line: line)
        if let problem = ParseLimits.refusal(of: text, beyond: size.bytes, at: start) {
            throw YAMLProblems([problem])
        }
        let limits = JSONLimits(depth: ParseLimits.depth, values: size.values)
        var parser = JSONParser(Array(text.utf8), form: NodeForm(file: file, line: line), limits: limits)
        do throws(JSONProblem) {
            return try parser.parse()
        } catch {
            let position = Position(error.place, in: file, from: line)
            throw YAMLProblems(at: position, found: error.found, expected: error.expected)
        }
    }
}

extension Position {
    fileprivate init(_ place: JSONPosition, in file: String, from line: Int) {
        self.init(file: file, line: line - 1 + place.line, column: place.column)
    }
}

/// Builds nodes from JSON.
private struct NodeForm: JSONForm {
    let file: String
    let line: Int

    func word(_ word: JSONWord, at place: JSONPosition) -> YAMLNode { plain(word.rawValue, at: place) }

    func number(_ number: JSONNumber, at place: JSONPosition) -> YAMLNode { plain(number.text, at: place) }

    func string(_ text: String, at place: JSONPosition) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(text, isPlain: false)), at: Position(place, in: file, from: line))
    }

    private func plain(_ text: String, at place: JSONPosition) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(text, isPlain: true)), at: Position(place, in: file, from: line))
    }

    func array(_ elements: [YAMLNode], at place: JSONPosition) -> YAMLNode {
        YAMLNode(.sequence(elements), at: Position(place, in: file, from: line))
    }

    func member(_ name: String, _ value: YAMLNode, at place: JSONPosition) -> YAMLPair {
        YAMLPair(key: name, at: Position(place, in: file, from: line), value: value)
    }

    func object(_ members: [YAMLPair], at place: JSONPosition) -> YAMLNode {
        YAMLNode(.mapping(members), at: Position(place, in: file, from: line))
    }

    func check(_ name: String, after members: [YAMLPair], at place: JSONPosition) throws(JSONProblem) {
        guard members.index(of: name) != nil else { return }
        throw JSONProblem(
            at: place,
            found: "key \(YAMLNode.quoted(name)) more than once in a map",
            expected: "each key once"
        )
    }
}

extension JSONValue {
    /// Creates the JSON value of a node; numbers keep their text.
    ///
    /// A plain scalar that is not JSON, such as `007` or `yes`, becomes a string.
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
