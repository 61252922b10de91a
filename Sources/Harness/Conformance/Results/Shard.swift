/// One part of so many of a run, chosen by a hash of each id: adding a scenario moves no other.
public struct Shard: Sendable, Hashable {
    /// From 1.
    public let number: Int
    /// At least as great.
    public let count: Int

    /// Creates a part from `i/n`; `nil` where that is none.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]), count >= 1,
            count <= 10_000,
            (1...count).contains(number)
        else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// Whether a scenario belongs to the part.
    public func contains(_ id: String) -> Bool { Int(Self.hash(id) % UInt64(count)) == number - 1 }

    /// FNV-1a, 64 bits: the same on every machine, as `Hasher` is not; its high bits are mixed into the low ones, which the
    /// remainder is made of.
    static func hash(_ id: String) -> UInt64 {
        let value = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return value ^ value >> 32
    }
}
