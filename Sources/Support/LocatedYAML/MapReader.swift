/// The keys that one kind of map may have.
public protocol MapKey: RawRepresentable<String>, CaseIterable, Sendable, Equatable {
    /// How problems name such a map: `an answer`.
    static var mapName: String { get }
}

/// Reads the values of a map by its known keys, refuses every other key, and gathers all problems.
public struct MapReader<Key: MapKey> {
    /// The map.
    public let node: YAMLNode
    /// Where problems go.
    public let problems: ProblemCollector
    @usableFromInline let pairs: [YAMLPair]

    /// Starts to read `node`; `nil`, with a problem, where it is not a map.
    ///
    /// Keys in `besides` are let through, for others to read.
    @inlinable
    public init?(
        _ node: YAMLNode,
        _ problems: ProblemCollector,
        keys: Key.Type = Key.self,
        besides others: [String] = []
    ) {
        guard let pairs = node.pairs else {
            problems.add(at: node.position, found: node.summary, expected: Key.mapName + ", as a map")
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
        let nearest = NearestKey.suggestion(for: pair.key, among: known).map { "\"\($0)\"" }
        problems.add(
            at: pair.keyPosition,
            found: "unknown key \(YAMLNode.quoted(pair.key)) in \(Key.mapName)",
            expected: nearest ?? NearestKey.alternatives(known)
        )
    }

    /// Where the map begins.
    @inlinable
    public var position: Position { node.position }

    /// The known keys that are given, in the order of the file.
    @inlinable
    public var keys: [Key] { pairs.compactMap { Key(rawValue: $0.key) } }

    /// The value of `key`; `nil` where it is not given.
    @inlinable
    public subscript(key: Key) -> YAMLNode? {
        pairs.index(of: key.rawValue).map { pairs[$0].value }
    }

    /// Where `key` stands; the map's place where it is not given.
    @inlinable
    public func position(of key: Key) -> Position {
        pairs.index(of: key.rawValue).map { pairs[$0].keyPosition } ?? node.position
    }

    /// Reads `key` where it is given.
    @inlinable
    public func optional<Value>(_ key: Key, _ reader: Reader<Value>) -> Value? {
        self[key].flatMap { reader.read($0, problems) }
    }

    /// Reads `key` where it is given, with its place.
    @inlinable
    public func located<Value: Sendable>(_ key: Key, _ reader: Reader<Value>) -> Located<Value>? {
        guard let node = self[key], let value = reader.read(node, problems) else { return nil }
        return Located(value, at: node.position)
    }

    /// Reads `key`, or reports that it is missing.
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

    /// Sets `value` to what `key` says; leaves it where the key is not given or wrong.
    @inlinable
    public func set<Value>(_ value: inout Value, _ key: Key, _ reader: Reader<Value>) {
        if let read = optional(key, reader) { value = read }
    }

    /// Sets `value` to what `key` says; leaves it where the key is not given or wrong.
    @inlinable
    public func set<Value>(_ value: inout Value?, _ key: Key, _ reader: Reader<Value>) {
        if let read = optional(key, reader) { value = read }
    }
}
