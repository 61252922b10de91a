/// An entity tag (RFC 9110 §8.8.3).
public struct EntityTag: Sendable, Hashable {
    /// Whether it is marked `W/`.
    public let isWeak: Bool
    /// The opaque tag with its quotes, if it had them.
    public let opaque: String

    /// Creates a tag from its parts; `opaque` is quoted.
    public init(isWeak: Bool, opaque: String) {
        self.isWeak = isWeak
        self.opaque = opaque
    }

    /// Parses one tag; `nil` for anything else.
    ///
    /// A tag without quotes is taken as it is: origins that send one expect it back that way.
    public init?(parsing text: String) {
        self.init(parsing: ASCII.trimmed(ArraySlice(Array(text.utf8))))
    }

    init?(parsing bytes: ArraySlice<UInt8>) {
        let isWeak = bytes.starts(with: Self.weakMark)
        let opaque = isWeak ? bytes.dropFirst(2) : bytes
        guard Self.isQuoted(opaque) || (!isWeak && Self.isBare(opaque)) else { return nil }
        self.init(isWeak: isWeak, opaque: String(decoding: opaque, as: UTF8.self))
    }

    /// Parses a list of tags, as `If-None-Match` has; members that are no tags are left out.
    public static func list(_ lines: [String]) -> [EntityTag] {
        FieldList.members(of: lines).compactMap { EntityTag(parsing: $0) }
    }

    /// The tag as it is sent.
    public var text: String { isWeak ? "W/" + opaque : opaque }

    /// Whether both are strong and equal (RFC 9110 §8.8.3.2).
    public func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Whether the opaque tags are equal (RFC 9110 §8.8.3.2).
    public func matchesWeakly(_ other: EntityTag) -> Bool {
        opaque == other.opaque
    }

    private static let weakMark = Array("W/".utf8)

    private static func isQuoted(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 2, bytes.first == ASCII.quote, bytes.last == ASCII.quote else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > ASCII.space && $0 != ASCII.quote && $0 != 0x7F }
    }

    private static func isBare(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { $0 > ASCII.space && $0 != ASCII.quote && $0 != ASCII.comma && $0 != 0x7F }
            && !bytes.elementsEqual([0x2A])
    }
}
