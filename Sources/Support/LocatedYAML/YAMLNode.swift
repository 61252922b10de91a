/// A node of a YAML file and its position, with aliases and merge keys resolved.
public struct YAMLNode: Sendable, Hashable {
    /// The content, a scalar, a list or a map.
    public var content: YAMLContent
    /// The start of the node; for a node that an alias refers to, its original position.
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

    /// Whether the node is null: an empty plain scalar, `~` or `null`.
    public var isNull: Bool {
        if case .scalar(let scalar) = content { scalar.isNull } else { false }
    }

    /// The node itself or, if it is null, an empty map: a map whose keys are all optional may be left out.
    package var orEmptyMap: YAMLNode { isNull ? YAMLNode(.mapping([]), at: position) : self }

    /// Returns the value of `key` in a map; `nil` if there is none.
    public func value(of key: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.index(of: key).map { pairs[$0].value }
    }

    /// The name of the node in problems: its text in quotes, `a list`, `a map` or `nothing`.
    public var summary: String {
        switch content {
        case .scalar(let scalar): scalar.isNull ? "nothing" : Self.quoted(scalar.text)
        case .sequence: "a list"
        case .mapping: "a map"
        }
    }

    /// Returns at most 60 characters of a text, in quotation marks and on one line.
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

/// The content of a node.
public enum YAMLContent: Sendable, Hashable {
    /// A scalar.
    case scalar(YAMLScalar)
    /// A list.
    case sequence([YAMLNode])
    /// A map; keys are unique.
    case mapping([YAMLPair])
}

/// The text of a scalar, and whether it had quotes.
public struct YAMLScalar: Sendable, Hashable {
    /// The text, with quotes and escapes removed.
    public var text: String
    /// Whether the text is written without quotes, so that it may be a number, a Boolean or null.
    public var isPlain: Bool

    /// Creates a scalar.
    public init(_ text: String, isPlain: Bool) {
        self.text = text
        self.isPlain = isPlain
    }

    /// Whether the text is empty, or `~` or `null` without quotes.
    public var isNull: Bool { isPlain && (text.isEmpty || text == "~" || text == "null") }
}

/// A key of a map and its value.
public struct YAMLPair: Sendable, Hashable {
    /// The key.
    public var key: String
    /// Where the key begins; `value` has its own position.
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
    /// Returns the position of a key, by index because copying a pair is expensive.
    @inlinable
    func index(of key: String) -> Int? {
        indices.first { self[$0].key == key }
    }
}
