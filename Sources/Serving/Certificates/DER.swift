/// Values in the distinguished encoding rules of ASN.1 (X.690 §10).
enum DER {
    /// An object's identifier, by its numbers.
    static func object(_ arcs: [Int]) -> [UInt8] {
        // X.690 §8.19: the first two numbers share one place.
        let places = [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)
        return value(0x06, places.flatMap(base128))
    }

    /// A number that is not negative.
    static func integer(_ number: Int) -> [UInt8] {
        var bytes = [UInt8(truncatingIfNeeded: number)]
        var rest = number >> 8
        while rest > 0 {
            bytes.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        // The highest bit is the sign's.
        return value(0x02, bytes[0] < 0x80 ? bytes : [0] + bytes)
    }

    static let null: [UInt8] = [0x05, 0]

    static func octets(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, Array(parts.joined())) }

    static func set(_ part: [UInt8]) -> [UInt8] { value(0x31, part) }

    /// A value in a tag of its own that stands for nothing but its place, number 0.
    static func tagged(_ part: [UInt8]) -> [UInt8] { value(0xA0, part) }

    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let bytes = integer(count).dropFirst(2).drop { $0 == 0 }
        return [0x80 | UInt8(bytes.count)] + bytes
    }

    private static func base128(_ number: Int) -> [UInt8] {
        var bytes = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            bytes.insert(0x80 | UInt8(rest & 0x7F), at: 0)
            rest >>= 7
        }
        return bytes
    }
}
