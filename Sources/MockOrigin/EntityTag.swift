/// An entity tag, RFC 9110 §8.8.3.
struct EntityTag: Hashable, Sendable {
    var isWeak: Bool
    /// The opaque tag with its quotes.
    var opaque: String

    /// Reads one tag as it is sent; `nil` when it is malformed.
    init?(_ text: some StringProtocol) {
        isWeak = text.hasPrefix("W/")
        opaque = String(isWeak ? text.dropFirst(2) : text[...])
        let bytes = opaque.utf8
        guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22,
            bytes.dropFirst().dropLast().allSatisfy({ $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F })
        else { return nil }
    }

    /// Strong comparison, RFC 9110 §8.8.3.2: neither is weak.
    func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Weak comparison, RFC 9110 §8.8.3.2.
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

/// The value of `If-Match` or `If-None-Match`.
enum EntityTagCondition: Hashable, Sendable {
    case any
    case list([EntityTag])

    /// Reads the combined value; members that are no entity tag match nothing and are left out.
    init(_ value: String) {
        self = value.filter { $0 != " " && $0 != "\t" } == "*" ? .any : .list(Self.members(value))
    }

    /// Commas may stand inside an opaque tag, so members are told apart by quotes.
    private static func members(_ value: String) -> [EntityTag] {
        var members: [EntityTag] = []
        var current = ""
        var isQuoted = false
        for character in value + "," {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                if let tag = EntityTag(current.trimmed) { members.append(tag) }
                current = ""
            } else {
                current.append(character)
            }
        }
        return members
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends.
    package var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
