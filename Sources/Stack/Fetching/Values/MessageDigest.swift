import TextCodings

/// The digests that the documents use to name files and requests; not for security.
package enum MessageDigest {
    /// Returns the MD5 digest (RFC 1321) of bytes, 32 lower-case hexadecimal digits.
    package static func md5(_ bytes: some Collection<UInt8>) -> String {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        forEachBlock(bytes, isBigEndian: false) { words in mixMD5(words, &state) }
        return text(of: state.map(\.byteSwapped))
    }

    /// Returns the MD5 digest of the text's UTF-8.
    package static func md5(_ text: String) -> String { md5(Array(text.utf8)) }

    /// Returns the SHA-1 digest (FIPS 180-4) of bytes, 40 lower-case hexadecimal digits.
    package static func sha1(_ bytes: some Collection<UInt8>) -> String {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        forEachBlock(bytes, isBigEndian: true) { words in mixSHA1(words, &state) }
        return text(of: state)
    }

    /// Returns the SHA-1 digest of the text's UTF-8.
    package static func sha1(_ text: String) -> String { sha1(Array(text.utf8)) }

    /// Pads the bytes and passes them on in blocks of sixteen words.
    private static func forEachBlock(
        _ bytes: some Collection<UInt8>,
        isBigEndian: Bool,
        _ mix: ([UInt32]) -> Void
    ) {
        var padded = Array(bytes)
        let bits = UInt64(padded.count) &* 8
        padded.append(0x80)
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        let shifts = (0..<8).map { UInt64($0) * 8 }
        for shift in isBigEndian ? shifts.reversed() : shifts {
            padded.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
        for start in stride(from: 0, to: padded.count, by: 64) {
            mix((0..<16).map { word(padded, at: start + 4 * $0, isBigEndian) })
        }
    }

    private static func word(_ bytes: [UInt8], at index: Int, _ isBigEndian: Bool) -> UInt32 {
        let word = bytes[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return isBigEndian ? word : word.byteSwapped
    }

    private static func mixMD5(_ words: [UInt32], _ state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for round in 0..<64 {
            let mixed: (function: UInt32, place: Int) =
                switch round / 16 {
                case 0: ((b & c) | (~b & d), round)
                case 1: ((d & b) | (~d & c), (5 * round + 1) % 16)
                case 2: (b ^ c ^ d, (3 * round + 5) % 16)
                default: (c ^ (b | ~d), (7 * round) % 16)
                }
            let sum = a &+ mixed.function &+ md5Constants[round] &+ words[mixed.place]
            (a, d, c, b) = (d, c, b, b &+ rotated(sum, md5Shifts[round / 16][round % 4]))
        }
        for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
    }

    private static func mixSHA1(_ block: [UInt32], _ state: inout [UInt32]) {
        var words = block
        for index in 16..<80 {
            words.append(
                rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
            )
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for round in 0..<80 {
            let (function, constant): (UInt32, UInt32) =
                switch round / 20 {
                case 0: ((b & c) | (~b & d), 0x5a82_7999)
                case 1: (b ^ c ^ d, 0x6ed9_eba1)
                case 2: ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let sum = rotated(a, 5) &+ function &+ e &+ constant &+ words[round]
            (e, d, c, b, a) = (d, c, rotated(b, 30), a, sum)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    private static func rotated(_ word: UInt32, _ places: UInt32) -> UInt32 {
        word << places | word >> (32 - places)
    }

    private static func text(of words: [UInt32]) -> String {
        words.map { Hexadecimal.digits(of: $0) }.joined()
    }

    private static let md5Shifts: [[UInt32]] = [
        [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
    ]

    private static let md5Constants: [UInt32] = [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613,
        0xfd46_9501, 0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193,
        0xa679_438e, 0x49b4_0821, 0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d,
        0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8, 0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed,
        0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a, 0xfffa_3942, 0x8771_f681, 0x6d9d_6122,
        0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70, 0x289b_7ec6, 0xeaa1_27fa,
        0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665, 0xf429_2244,
        0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
        0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb,
        0xeb86_d391,
    ]
}
