internal import HTTPTypes

/// The byte ranges of a request (RFC 9110 §14.1.2, §14.2).
struct RangeRequest: Sendable, Hashable {
    enum Specifier: Sendable, Hashable {
        /// From one position to another, or to the end.
        case from(Int64, through: Int64?)
        /// A number of bytes at the end.
        case suffix(Int64)
    }

    let specifiers: [Specifier]

    /// A request with more ranges is treated as an attack (RFC 9110 §14.2, §17.15).
    private static let maximumRanges = 64

    /// Parses the field of a request; `nil` if it is ignored: malformed, of another unit, or with too many ranges.
    init?(_ fields: HTTPFields) {
        let lines = fields[values: .range]
        guard lines.count == 1, let line = lines.first, let equals = line.firstIndex(of: "="),
            line[..<equals].lowercased() == ContentRange.unit
        else { return nil }
        var isValid = true
        let specifiers = FieldList.members(of: [String(line[equals...].dropFirst())]) { member in
            let specifier = Self.specifier(member)
            if specifier == nil { isValid = false }
            return specifier
        }
        guard isValid, !specifiers.isEmpty, specifiers.count <= Self.maximumRanges else { return nil }
        self.specifiers = specifiers
    }

    private static func specifier(_ member: FieldBytes) -> Specifier? {
        guard let dash = member.firstIndex(of: ASCII.dash) else { return nil }
        let (left, right) = (member[..<dash], member[(dash + 1)...])
        if left.isEmpty { return position(right).map { .suffix($0) } }
        guard let first = position(left) else { return nil }
        if right.isEmpty { return .from(first, through: nil) }
        guard let last = position(right), last >= first else { return nil }
        return .from(first, through: last)
    }

    /// Parses digits; a number too large for a position becomes the largest.
    static func position(_ digits: some Collection<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        var value: Int64 = 0
        for digit in digits {
            value = value * 10 + Int64(digit - ASCII.zero)
            if value > ByteRange.largestPosition { return ByteRange.largestPosition }
        }
        return value
    }

    /// Returns the ranges in a representation of `length` bytes, in the order of the request; overlapping ones are
    /// coalesced.
    ///
    /// Empty if none is satisfiable.
    func ranges(ofLength length: Int64) -> [ByteRange] {
        let satisfiable = specifiers.compactMap { Self.range($0, ofLength: length) }
        let joined = StoredParts(satisfiable, completeLength: nil)?.ranges ?? []
        // RFC 9110 §15.3.7.2: ranges that overlap may be coalesced; those that do not keep their order.
        return joined.count == satisfiable.count ? satisfiable : joined
    }

    private static func range(_ specifier: Specifier, ofLength length: Int64) -> ByteRange? {
        switch specifier {
        case .from(let first, let last): ByteRange(first: first, last: min(last ?? .max, length - 1))
        case .suffix(let count):
            count == 0 ? nil : ByteRange(first: max(0, length - count), last: length - 1)
        }
    }

    /// Whether it is a suffix of an empty representation, which all of that satisfies (RFC 9110 §14.1.2).
    var hasSuffix: Bool {
        specifiers.contains { if case .suffix(let count) = $0 { count > 0 } else { false } }
    }
}
