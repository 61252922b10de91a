/// The members of a JSON object, in the order of the text (RFC 8259 §4).
///
/// Two objects are equal if every name has equal values in both, in any order.
public struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
    /// One member.
    public struct Member: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// Creates a member.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }
    /// All members; names may repeat.
    public var members: [Member]

    /// Creates an object from members in order.
    public init(_ members: [Member]) { self.members = members }

    /// Creates an object from names and values in order.
    public init(_ members: [(String, JSONValue)]) { self.init(members.map { Member($0.0, $0.1) }) }

    /// Creates an object with members sorted by name.
    public init(_ members: [String: JSONValue]) {
        self.init(members.map { Member($0.key, $0.value) }.sorted(by: Self.precedes))
    }

    /// Creates an object with members in this order.
    public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members) }

    /// The value of a name; the last one if the name repeats, as in most implementations.
    public subscript(name: String) -> JSONValue? { members.last { $0.name == name }?.value }

    /// The last member of each name, sorted by name in UTF-8.
    public var sortedMembers: [Member] {
        byName.map { Member($0.key, $0.value) }.sorted(by: Self.precedes)
    }

    private var byName: [String: JSONValue] {
        Dictionary(members.map { ($0.name, $0.value) }) { _, last in last }
    }

    private static func precedes(_ left: Member, _ right: Member) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

extension JSONObject: Hashable {
    /// Whether every name has equal values in both.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members == right.members || left.byName == right.byName
    }

    /// Hashes the members that equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(byName) }
}
