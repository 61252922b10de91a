/// A fast 64-bit hash (XXH64) to distinguish keys and detect corruption; not cryptographic.
package enum ByteHash {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// Returns the digest of `text` in UTF-8.
    package static func sum(_ text: String, seed: UInt64 = 0) -> UInt64 {
        var text = text
        return text.withUTF8 { sum(UnsafeRawBufferPointer($0), seed: seed) }
    }

    /// Returns the digest of `bytes`.
    package static func sum(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { sum($0, seed: seed) }
    }

    /// Returns the digest of `bytes`.
    package static func sum(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var offset = 0
        var hash = seed &+ prime5
        if bytes.count >= 32 { hash = stripes(bytes, seed: seed, offset: &offset) }
        hash &+= UInt64(truncatingIfNeeded: bytes.count)
        return avalanche(tail(bytes, from: offset, hash: hash))
    }

    /// Returns a digest of content by a function that is several times as fast.
    ///
    /// Words are multiplied to double width and folded, in four independent lanes.
    package static func contentSum(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var lanes = (prime1, prime2, prime3, prime4)
            var offset = 0
            while offset &+ 64 <= bytes.count {
                lanes.0 = folded(word(bytes, offset) ^ prime5, word(bytes, offset &+ 8) ^ lanes.0)
                lanes.1 = folded(word(bytes, offset &+ 16) ^ prime1, word(bytes, offset &+ 24) ^ lanes.1)
                lanes.2 = folded(word(bytes, offset &+ 32) ^ prime2, word(bytes, offset &+ 40) ^ lanes.2)
                lanes.3 = folded(word(bytes, offset &+ 48) ^ prime3, word(bytes, offset &+ 56) ^ lanes.3)
                offset &+= 64
            }
            let pairs = (folded(lanes.0, lanes.1 ^ prime4), folded(lanes.2, lanes.3 ^ prime5))
            let seed = folded(pairs.0 ^ UInt64(truncatingIfNeeded: bytes.count), pairs.1 ^ prime1)
            return sum(UnsafeRawBufferPointer(rebasing: bytes[offset...]), seed: seed)
        }
    }

    @inline(__always)
    private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        return high ^ low
    }

    private static func stripes(
        _ bytes: UnsafeRawBufferPointer,
        seed: UInt64,
        offset: inout Int
    ) -> UInt64 {
        var first = seed &+ prime1 &+ prime2
        var second = seed &+ prime2
        var third = seed
        var fourth = seed &- prime1
        while offset &+ 32 <= bytes.count {
            first = round(first, word(bytes, offset))
            second = round(second, word(bytes, offset &+ 8))
            third = round(third, word(bytes, offset &+ 16))
            fourth = round(fourth, word(bytes, offset &+ 24))
            offset &+= 32
        }
        var hash = rotate(first, 1) &+ rotate(second, 7) &+ rotate(third, 12) &+ rotate(fourth, 18)
        for lane in [first, second, third, fourth] {
            hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
        }
        return hash
    }

    private static func tail(_ bytes: UnsafeRawBufferPointer, from start: Int, hash start64: UInt64) -> UInt64
    {
        var offset = start
        var hash = start64
        while offset &+ 8 <= bytes.count {
            hash = rotate(hash ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
            offset &+= 8
        }
        if offset &+ 4 <= bytes.count {
            let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            hash = rotate(hash ^ (UInt64(half) &* prime1), 23) &* prime2 &+ prime3
            offset &+= 4
        }
        while offset < bytes.count {
            hash = rotate(hash ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
            offset &+= 1
        }
        return hash
    }

    private static func avalanche(_ value: UInt64) -> UInt64 {
        var hash = value
        hash = (hash ^ (hash >> 33)) &* prime2
        hash = (hash ^ (hash >> 29)) &* prime3
        return hash ^ (hash >> 32)
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        (value &<< bits) | (value &>> (64 &- bits))
    }
}
