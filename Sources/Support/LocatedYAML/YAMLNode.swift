/// A piece of a YAML file and where it stands; aliases and merge keys are already resolved.
public struct YAMLNode: Sendable, Hashable {
    /// What is written there.
    public var content: YAMLContent
    /// Where it begins; for what an alias stands for, where that was written.
    public var position: Position

    /// Creates a node.
    public init(_ content: YAMLContent, at position: Position) {
        self.content = content
        self.position = position
    }

    /// The scalar's text; `nil` for lists, maps and nothing.
    public var scalarText: String? {
        if case .scalar(let scalar) = content, !scalar.isNull { scalar.text } else { nil }
    }

    /// The list's elements; `nil` for anything else.
    public var elements: [YAMLNode]? {
        if case .sequence(let nodes) = content { nodes } else { nil }
    }

    /// The map's pairs in the order of the file; `nil` for anything else.
    public var pairs: [YAMLPair]? {
        if case .mapping(let pairs) = content { pairs } else { nil }
    }

    /// Whether nothing is written: an empty plain scalar, `~` or `null`.
    public var isNull: Bool {
        if case .scalar(let scalar) = content { scalar.isNull } else { false }
    }

    /// The value of `key` in a map; `nil` where there is none.
    public func value(of key: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.index(of: key).map { pairs[$0].value }
    }

    /// How a problem names the node: its text in quotes, `a list`, `a map`, `nothing`.
    public var summary: String {
        switch content {
        case .scalar(let scalar): scalar.isNull ? "nothing" : Self.quoted(scalar.text)
        case .sequence: "a list"
        case .mapping: "a map"
        }
    }

    /// Returns text in quotation marks, at most 60 characters of it, on one line.
    public static func quoted(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars.prefix(60) {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return "\"\(line)\(text.unicodeScalars.count > 60 ? "…" : "")\""
    }
}

/// What is written at a place.
public enum YAMLContent: Sendable, Hashable {
    /// One text.
    case scalar(YAMLScalar)
    /// A list.
    case sequence([YAMLNode])
    /// A map; keys are unique.
    case mapping([YAMLPair])
}

/// One text.
public struct YAMLScalar: Sendable, Hashable {
    /// The text, after quotes and escapes.
    public var text: String
    /// Whether it was written without quotes, so that it may be a number, a boolean or nothing.
    public var isPlain: Bool

    /// Creates a scalar.
    public init(_ text: String, isPlain: Bool) {
        self.text = text
        self.isPlain = isPlain
    }

    /// Whether it stands for nothing.
    public var isNull: Bool { isPlain && (text.isEmpty || text == "~" || text == "null") }
}

/// A key of a map and its value.
public struct YAMLPair: Sendable, Hashable {
    /// The key.
    public var key: String
    /// Where the key stands.
    public var keyPosition: Position
    /// The value.
    public var value: YAMLNode

    /// Creates a pair.
    public init(key: String, at keyPosition: Position, value: YAMLNode) {
        self.key = key
        self.keyPosition = keyPosition
        self.value = value
    }
}

extension [YAMLPair] {
    /// Where a key stands; by index, because a pair is costly to copy.
    @inlinable
    func index(of key: String) -> Int? {
        indices.first { self[$0].key == key }
    }
}
