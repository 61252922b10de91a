/// The keys that a kind of map may have.
public protocol MapKey: RawRepresentable<String>, CaseIterable, Sendable, Equatable {
    /// The name of such a map in problems, as `an answer`.
    static var mapName: String { get }
}

/// Reads the values of a map by its known keys, rejects unknown keys, and collects all problems.
public struct MapReader<Key: MapKey> {
    /// The map that is read.
    public let node: YAMLNode
    /// Collects the problems.
    public let problems: ProblemCollector
    @usableFromInline let pairs: [YAMLPair]

    /// Creates a reader of `node`; reports a problem and returns `nil` if that is not a map.
    ///
    /// Keys in `besides` are accepted for other readers.
    @inlinable
    public init?(
        _ node: YAMLNode,
        _ problems: ProblemCollector,
        keys: Key.Type = Key.self,
        besides others: [String] = []
    ) {
        guard let pairs = node.pairs else {
            problems.add(node, expected: Key.mapName + ", as a map")
            return nil
        }
        self.node = node
        self.pairs = pairs
        self.problems = problems
        for index in pairs.indices where Key(rawValue: pairs[index].key) == nil {
            if !others.contains(pairs[index].key) { refuse(pairs[index], others) }
        }
    }

    @usableFromInline
    func refuse(_ pair: YAMLPair, _ others: [String]) {
        let known = Key.allCases.map(\.rawValue) + others
        problems.add(
            at: pair.keyPosition,
            found: "unknown key \(YAMLNode.quoted(pair.key)) in \(Key.mapName)",
            expected: NearestKey.expected(for: pair.key, among: known)
        )
    }

    /// The start of the map.
    @inlinable
    public var position: Position { node.position }

    /// The known keys that are present, in the order of the file.
    @inlinable
    public var keys: [Key] { pairs.compactMap { Key(rawValue: $0.key) } }

    /// The value of `key`; `nil` if it is absent.
    @inlinable
    public subscript(key: Key) -> YAMLNode? {
        pairs.index(of: key.rawValue).map { pairs[$0].value }
    }

    /// Returns the position of `key`; that of the map if it is absent.
    @inlinable
    public func position(of key: Key) -> Position {
        pairs.index(of: key.rawValue).map { pairs[$0].keyPosition } ?? node.position
    }

    /// Reads `key` if it is present.
    @inlinable
    public func optional<Value>(_ key: Key, _ reader: Reader<Value>) -> Value? {
        self[key].flatMap { reader.read($0, problems) }
    }

    /// Reads `key` with its position if it is present.
    @inlinable
    public func located<Value: Sendable>(_ key: Key, _ reader: Reader<Value>) -> Located<Value>? {
        guard let node = self[key], let value = reader.read(node, problems) else { return nil }
        return Located(value, at: node.position)
    }

    /// Reads `key`; reports a problem if it is missing.
    @inlinable
    public func required<Value>(_ key: Key, _ reader: Reader<Value>) -> Value? {
        guard let node = self[key] else {
            problems.add(
                at: position,
                found: "\(Key.mapName) without \"\(key.rawValue)\"",
                expected: "\"\(key.rawValue)\""
            )
            return nil
        }
        return reader.read(node, problems)
    }

    /// Sets `value` to the value of `key`; leaves it unchanged if the key is absent or invalid.
    @inlinable
    public func set<Value>(_ value: inout Value, _ key: Key, _ reader: Reader<Value>) {
        if let read = optional(key, reader) { value = read }
    }

    /// Sets `value` to the value of `key`; leaves it unchanged if the key is absent or invalid.
    @inlinable
    public func set<Value>(_ value: inout Value?, _ key: Key, _ reader: Reader<Value>) {
        if let read = optional(key, reader) { value = read }
    }
}
