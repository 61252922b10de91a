/// A list of preferences with quality values (RFC 9110 §12.4.2), in canonical form.
struct QualityList: Equatable {
    struct Member: Equatable {
        /// The value in lower case.
        let value: String
        /// The weight in thousandths; 0 means not acceptable.
        let quality: Int
    }

    /// The maximum number of members: each is compared with those before it, and no client has so many preferences.
    private static let maximumMembers = 100
    /// Without duplicates, sorted by descending weight, then alphabetically.
    let members: [Member]
    /// Without duplicates, in the order of the field.
    private let sent: [Member]

    /// Parses the lines; `nil` if a member is malformed, if there are more than 100, or if a value has two weights:
    /// recipients differ in which of them counts.
    init?(_ lines: [String]) {
        var members: [Member] = []
        for bytes in FieldList.members(of: lines, { Array($0) }) {
            guard let member = Self.member(bytes[...]) else { return nil }
            if members.contains(member) { continue }
            guard members.count < Self.maximumMembers, !members.contains(where: { $0.value == member.value })
            else {
                return nil
            }
            members.append(member)
        }
        sent = members
        self.members = members.sorted { ($1.quality, $0.value) < ($0.quality, $1.value) }
    }

    /// The canonical text of the preferences.
    var text: String { Self.text(members) }

    /// The canonical text of the preferences in their order, which is significant to some servers (RFC 9110 §12.5.4).
    var orderedText: String { Self.text(sent) }

    private static func text(_ members: [Member]) -> String {
        members.map { $0.quality == 1000 ? $0.value : "\($0.value);q=\($0.quality)" }.joined(separator: ",")
    }

    /// The values with the highest weight; empty if none is acceptable.
    var firstChoices: [String] {
        guard let best = members.first, best.quality > 0 else { return [] }
        return members.prefix { $0.quality == best.quality }.map(\.value)
    }

    private static func member(_ bytes: ArraySlice<UInt8>) -> Member? {
        let parts = bytes.split(separator: ASCII.semicolon, omittingEmptySubsequences: false).map(
            ASCII.trimmed
        )
        guard let value = parts.first, !value.isEmpty, value.allSatisfy(ASCII.isTokenByte) else { return nil }
        guard parts.count > 1 else { return Member(value: ASCII.lowercased(value), quality: 1000) }
        guard parts.count == 2, let quality = quality(parts[1]) else { return nil }
        return Member(value: ASCII.lowercased(value), quality: quality)
    }

    /// Parses `q=` and a number from 0 to 1 with at most three digits after the point (RFC 9110 §12.4.2).
    static func quality(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 3, ASCII.lowercased(bytes[bytes.startIndex]) == 0x71,
            bytes[bytes.startIndex + 1] == ASCII.equals
        else { return nil }
        let number = bytes.dropFirst(2)
        guard let first = number.first, first == ASCII.zero || first == ASCII.zero + 1 else { return nil }
        let rest = number.dropFirst()
        guard rest.isEmpty || rest.first == ASCII.dot, rest.count <= 4 else { return nil }
        var thousandths = Int(first - ASCII.zero) * 1000
        var weight = 100
        for digit in rest.dropFirst() {
            guard ASCII.isDigit(digit) else { return nil }
            thousandths += Int(digit - ASCII.zero) * weight
            weight /= 10
        }
        return thousandths <= 1000 ? thousandths : nil
    }
}
