package import HTTPTypes

/// An entity tag (RFC 9110 §8.8.3) as bytes, because origins send arbitrary bytes between the quotes.
public struct EntityTag: Sendable, Hashable {
    /// Whether the tag begins with `W/` and matches by weak comparison only (RFC 9110 §8.8.3.2).
    public let isWeak: Bool
    /// The bytes of the opaque tag, including its quotes if present.
    public let opaque: [UInt8]

    /// Creates a tag from its parts; `opaque` is quoted.
    public init(isWeak: Bool, opaque: [UInt8]) {
        self.isWeak = isWeak
        self.opaque = opaque
    }

    /// Parses one tag; `nil` for anything else.
    ///
    /// A tag without quotes is accepted and sent back unchanged, as origins that send one expect.
    public init?(parsing text: String) {
        var text = text
        guard let tag = text.withUTF8({ EntityTag(parsing: ASCII.trimmed($0[...])) }) else { return nil }
        self = tag
    }

    /// Parses the value of a field; `nil` unless it is exactly one tag.
    init?(_ field: HTTPField) {
        guard let tag = field.withUnsafeBytesOfValue({ EntityTag(parsing: ASCII.trimmed($0[...])) }) else {
            return nil
        }
        self = tag
    }

    private init?(parsing bytes: FieldBytes) {
        let isWeak = Self.hasWeakMark(bytes)
        let opaque = isWeak ? bytes.dropFirst(2) : bytes
        guard Self.isQuoted(opaque) || (!isWeak && Self.isBare(opaque)) else { return nil }
        self.init(isWeak: isWeak, opaque: Array(opaque))
    }

    /// Reads the value of `ETag`; `nil` if it is absent or invalid, or on several lines.
    package init?(of fields: HTTPFields) {
        let lines = fields.filter { $0.name == .eTag }
        guard lines.count == 1, let line = lines.first, let tag = EntityTag(line) else { return nil }
        self = tag
    }

    /// Parses a list of tags, as in `If-None-Match`; invalid members are skipped.
    public static func list(_ lines: [String]) -> [EntityTag] {
        FieldList.members(of: lines) { EntityTag(parsing: $0) }
    }

    /// Returns the tags that a field lists.
    static func list(_ name: HTTPField.Name, in fields: HTTPFields) -> [EntityTag] {
        FieldList.members(of: name, in: fields) { EntityTag(parsing: $0) }
    }

    /// Returns the field that lists tags, as they were received.
    static func field(_ name: HTTPField.Name, listing tags: [EntityTag]) -> HTTPField {
        HTTPField(
            name: name,
            lenientValue: Array(tags.map(\.bytes).joined(separator: [ASCII.comma, ASCII.space]))
        )
    }

    /// The tag as it is sent.
    public var bytes: [UInt8] { isWeak ? [ASCII.upperW, ASCII.slash] + opaque : opaque }

    /// The tag for display; bytes that are not UTF-8 are decoded as ISO-8859-1.
    public var text: String {
        let bytes = bytes
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Whether both are strong and equal (RFC 9110 §8.8.3.2).
    public func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Whether the opaque tags are equal (RFC 9110 §8.8.3.2).
    public func matchesWeakly(_ other: EntityTag) -> Bool {
        opaque == other.opaque
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
