import Fetching
import Testing

@Suite("Digests by which the documents name files")
struct DigestTests {
    @Test(
        "MD5 gives the digests of RFC 1321, appendix A.5, and of the documents",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
            ("http://localhost:8090/image", "9b7af625c385321cbc5ab27c1bd5f6da"),
        ]
    )
    func md5(text: String, expected: String) { #expect(MessageDigest.md5(text) == expected) }

    @Test(
        "SHA-1 gives the digests of FIPS 180-4's examples and of the documents",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            ("http://localhost:8090/image", "c1fcca84b23535bc8134832efd354faede34e877"),
            ("http://localhost:8090/image?size=small", "a41a16047375fd4ac542ffb30e04b2cbea78eb14"),
        ]
    )
    func sha1(text: String, expected: String) { #expect(MessageDigest.sha1(text) == expected) }

    @Test(
        "Content of every length around a block is padded correctly",
        arguments: [55, 56, 63, 64, 65, 119, 120]
    )
    func padding(length: Int) {
        let expected = [
            55: "ef1772b6dff9a122358552954ad0df65", 56: "3b0c8ac703f828b04c6c197006d17218",
            63: "b06521f39153d618550606be297466d5", 64: "014842d480b571495a4a0363793f7367",
            65: "c743a45e0d2e6a95cb859adae0248435", 119: "8a7bd0732ed6a28ce75f6dabc90e1613",
            120: "5f61c0ccad4cac44c75ff505e1f1e537",
        ]
        #expect(MessageDigest.md5([UInt8](repeating: 97, count: length)) == expected[length])
    }
}
