import WireSyntax

/// An entity tag, RFC 9110 §8.8.3.
struct EntityTagValue: Hashable, Sendable {
    var isWeak: Bool
    /// The opaque tag with its quotes.
    var opaque: String

    /// Parses one tag as it is sent; `nil` if it is malformed.
    init?(_ text: some StringProtocol) {
        isWeak = text.utf8.starts(with: "W/".utf8)
        opaque = String(isWeak ? text.dropFirst(2) : text[...])
        let bytes = opaque.utf8
        guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22,
            bytes.dropFirst().dropLast().allSatisfy({ $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F })
        else { return nil }
    }

    /// Whether the tags match by strong comparison, RFC 9110 §8.8.3.2: neither is weak.
    func matchesStrongly(_ other: EntityTagValue) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Whether the tags match by weak comparison, RFC 9110 §8.8.3.2.
    func matchesWeakly(_ other: EntityTagValue) -> Bool { opaque == other.opaque }
}

/// The value of `If-Match` or `If-None-Match`.
enum EntityTagCondition: Hashable, Sendable {
    case any
    case list([EntityTagValue])

    /// Parses the combined value; members that are not entity tags match nothing and are omitted.
    init(_ value: String) {
        self = value.trimmed == "*" ? .any : .list(Self.members(value))
    }

    /// Splits a value at the tags' quotes, because opaque tags may contain commas.
    private static func members(_ value: String) -> [EntityTagValue] {
        let bytes = value.utf8
        var texts: [Substring] = []
        var start = bytes.startIndex
        var isQuoted = false
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard bytes[index] == UInt8(ascii: ","), !isQuoted else { continue }
            texts.append(value[start..<index])
            start = bytes.index(after: index)
        }
        if !isQuoted { texts.append(value[start...]) }
        return texts.compactMap { EntityTagValue($0.trimmed) }
    }
}

extension StringProtocol {
    /// The text without leading and trailing spaces and tabs.
    package var trimmed: String { trimmingWhitespace }
}
