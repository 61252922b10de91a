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
        var text = text
        guard let tag = text.withUTF8({ EntityTag(parsing: ASCII.trimmed($0[...])) }) else { return nil }
        self = tag
    }

    private init?(parsing bytes: FieldBytes) {
        let isWeak = Self.hasWeakMark(bytes)
        let opaque = isWeak ? bytes.dropFirst(2) : bytes
        guard Self.isQuoted(opaque) || (!isWeak && Self.isBare(opaque)), !Self.isLossy(opaque) else {
            return nil
        }
        self.init(isWeak: isWeak, opaque: String(decoding: opaque, as: UTF8.self))
    }

    /// Parses a list of tags, as `If-None-Match` has; members that are no tags are left out.
    public static func list(_ lines: [String]) -> [EntityTag] {
        FieldList.members(of: lines) { EntityTag(parsing: $0) }
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

    /// Whether bytes that are no UTF-8 were replaced while the field was read as text: which bytes it had is not known
    /// any more, so that it can neither be sent back nor be told from another of its kind.
    private static func isLossy(_ bytes: FieldBytes) -> Bool {
        bytes.contains(0xEF) && String(decoding: bytes, as: UTF8.self).unicodeScalars.contains("\u{FFFD}")
    }

    /// Whether the tag begins with `W/`.
    private static func hasWeakMark(_ bytes: FieldBytes) -> Bool {
        bytes.count >= 2 && bytes.first == ASCII.upperW && bytes[bytes.startIndex + 1] == ASCII.slash
    }

    private static func isQuoted(_ bytes: FieldBytes) -> Bool {
        guard bytes.count >= 2, bytes.first == ASCII.quote, bytes.last == ASCII.quote else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > ASCII.space && $0 != ASCII.quote && $0 != 0x7F }
    }

    private static func isBare(_ bytes: FieldBytes) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { $0 > ASCII.space && $0 != ASCII.quote && $0 != ASCII.comma && $0 != 0x7F }
            && !(bytes.count == 1 && bytes.first == ASCII.asterisk)
    }
}
