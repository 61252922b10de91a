import TextCodings
import Testing

@testable import Audit

@Suite("Content codings of an audit")
struct ContentCodingTests {
    private static let text = Array("the content of a file that is long enough for ranges".utf8)
    /// `text`, coded by the programs brotli 1.0.9 and zstd 1.5.4.
    private static let brotli = "HzMA6BWh0sFDlupzFWxkYCIHDkXh568qruSxAvvjwjHxSisJ3YtAGw=="
    private static let zstandard =
        "KLUv/QRYoQEAdGhlIGNvbnRlbnQgb2YgYSBmaWxlIHRoYXQgaXMgbG9uZyBlbm91Z2ggZm9yIHJhbmdlc1NVqQ4="

    struct Coded: Sendable {
        let codings: [String]
        let content: [UInt8]

        init(_ codings: [String], _ base64: String) {
            self.codings = codings
            content = Base64.decode(base64) ?? []
        }
    }

    @Test(
        "Content coded by the programs brotli and zstd is decoded",
        arguments: [Coded(["br"], brotli), Coded(["zstd"], zstandard)]
    )
    func decodes(_ coded: Coded) throws {
        #expect(try ContentCoding.remove(coded.codings, from: coded.content, limit: 1_000) == Self.text)
    }

    @Test("Two frames of zstd are the content of both, RFC 8878 §3.1")
    func frames() throws {
        let frame = try #require(Base64.decode(Self.zstandard))
        #expect(
            try ContentCoding.remove(["zstd"], from: frame + frame, limit: 1_000) == Self.text + Self.text
        )
    }

    @Test("Content that is cut off at any byte is not of its coding", arguments: ["br", "zstd"])
    func cutOff(_ coding: String) throws {
        let content = try #require(Base64.decode(coding == "br" ? Self.brotli : Self.zstandard))
        for count in 1..<content.count {
            #expect(throws: CodingProblem.self, "\(count) bytes") {
                _ = try ContentCoding.remove([coding], from: Array(content[..<count]), limit: 1_000)
            }
        }
    }

    @Test("Bytes behind the end of br are a problem")
    func remainder() throws {
        let content = try #require(Base64.decode(Self.brotli)) + [0, 0]
        #expect(throws: CodingProblem.self) {
            _ = try ContentCoding.remove(["br"], from: content, limit: 1_000)
        }
    }

    @Test(
        "Nothing is known of an unknown coding, nor of content that decodes to more than the limit",
        arguments: [
            (Coded(["compress"], brotli), 1_000), (Coded(["br"], brotli), 51),
            (Coded(["zstd"], zstandard), 51),
        ]
    )
    func unknown(_ coded: Coded, limit: Int) throws {
        #expect(try ContentCoding.remove(coded.codings, from: coded.content, limit: limit) == nil)
    }

    @Test(
        "A limit of exactly the decoded size is not exceeded",
        arguments: [Coded(["br"], brotli), Coded(["zstd"], zstandard)]
    )
    func exactLimit(_ coded: Coded) throws {
        #expect(
            try ContentCoding.remove(coded.codings, from: coded.content, limit: Self.text.count) == Self.text
        )
    }
}
