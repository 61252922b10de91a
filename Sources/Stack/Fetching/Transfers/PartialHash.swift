/// A hash of a part, which detects damage on disk before the download is resumed.
///
/// Detects accidental damage, not tampering.
struct PartialHash: Sendable, Hashable {
    private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var pending: UInt64 = 0
    private var pendingCount: UInt64 = 0

    /// Adds bytes; the hash does not depend on how they are divided.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        while place < bytes.count, pendingCount != 0 {
            addByte(bytes[place])
            place += 1
        }
        while place + 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            place += 8
        }
        while place < bytes.count {
            addByte(bytes[place])
            place += 1
        }
    }

    /// The hash of the bytes added so far, at most 16 hexadecimal digits.
    var text: String {
        var copy = self
        copy.mix(pending ^ (pendingCount &* 0xD6E8_FEB8_6659_FD93))
        return String(copy.value, radix: 16)
    }

    private mutating func addByte(_ byte: UInt8) {
        pending |= UInt64(byte) << (8 * pendingCount)
        pendingCount += 1
        guard pendingCount == 8 else { return }
        mix(pending)
        (pending, pendingCount) = (0, 0)
    }

    private mutating func mix(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        value = (product.high ^ product.low) &+ 0xE703_7ED1_A0B4_28DB
    }
}
