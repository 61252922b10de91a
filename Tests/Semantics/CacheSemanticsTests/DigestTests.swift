import CacheSemantics
import Testing

@Suite("Digests")
struct DigestTests {
    /// Returns the bytes 0, 7, 14 and so on.
    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    @Test(
        "The digest of a text is XXH64",
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)]
    )
    func text(text: String, expected: UInt64) {
        #expect(ByteHash.sum(text) == expected)
    }

    // From a second implementation, which has the published digests above.
    @Test(
        "The digest of bytes of any length is XXH64, with and without a seed",
        arguments: [
            (4, 0xAE5A_CDC0_0A55_AC41, 0xDED7_4A77_BEA0_C9F0),
            (8, 0x8711_6B33_65B9_24EB, 0xBEF4_2115_E14B_DFB0),
            (12, 0x14B8_433B_9A14_E611, 0xDF01_3D49_9262_0EA2),
            (13, 0x92E7_AC00_FD9C_E667, 0x8BB7_AEA2_B6C3_BB88),
            (31, 0x0F18_7C62_B1E7_22B7, 0x67F5_0679_0E4C_2A7C),
            (32, 0x91B0_CB09_31A8_C629, 0xD447_E0C9_79A1_7FA0),
            (33, 0x931B_043C_F8D6_5B94, 0xE10D_F65D_739E_0FCD),
            (64, 0xBF30_52E3_4457_75D0, 0x2E66_C289_3D55_EA6A),
            (100, 0x8E22_72C0_8247_D5DB, 0xD0D9_EE47_1568_CC0B),
        ] as [(Int, UInt64, UInt64)]
    )
    func seeded(count: Int, expected: UInt64, withSeed: UInt64) {
        #expect(ByteHash.sum(bytes(count)) == expected)
        #expect(ByteHash.sum(bytes(count), seed: 1) == withSeed)
    }

    // Also from a second implementation. Folders of stored responses contain these digests.
    @Test(
        "The digest of content is the one that is on disk",
        arguments: [
            (0, 0x303D_9B1B_73F0_E97A), (63, 0x7293_48A5_6A82_6A90), (64, 0xA865_4028_4A3E_3E6C),
            (65, 0xAB0A_E67A_7D3F_CCEF), (200, 0xB143_73E6_FB50_5CDF),
        ] as [(Int, UInt64)]
    )
    func content(count: Int, expected: UInt64) {
        #expect(ByteHash.contentSum(bytes(count)) == expected)
    }

    @Test("The digest of content changes with any bit and with the length", arguments: [1, 63, 64, 65, 1000])
    func anyBit(count: Int) {
        let content = bytes(count)
        let sum = ByteHash.contentSum(content)
        #expect(ByteHash.contentSum(content + [0]) != sum)
        for index in content.indices {
            for bit in 0..<8 {
                var other = content
                other[index] ^= 1 << bit
                #expect(ByteHash.contentSum(other) != sum)
            }
        }
    }

    // FIPS 180-4; the longer ones are from another implementation.
    @Test(
        "SHA-256 has the published digests",
        arguments: [
            ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ] as [([UInt8], String)]
    )
    func secure(bytes: [UInt8], expected: String) {
        #expect(SHA256.text(bytes) == expected)
    }

    @Test(
        "SHA-256 pads any length",
        arguments: [
            (55, "576a1bf8d4478657e6dc4af9398544765c2a92cde28478b019235cfed315fc09"),
            (56, "9b20501dfd1d99161c257950f3444f3e49230c351c5c8e0943ef369f85f5205d"),
            (64, "d8bc63b4fc1156e5e7d95a418b9bf54cd3174bedbc2db40f74895349b229b3c0"),
            (200, "b531abd8dae7232c861ac9f50aff9952d29c8d4c3772551cc5bce5d39d2cd08d"),
        ]
    )
    func padded(count: Int, expected: String) {
        #expect(SHA256.text(bytes(count)) == expected)
    }
}
