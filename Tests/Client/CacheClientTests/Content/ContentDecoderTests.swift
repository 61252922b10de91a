import HTTPTypes
import Testing

@testable import CacheClient

@Suite("Content codings, RFC 9110 §8.4")
struct ContentDecoderTests {
    private static let text = Array("content that is coded, and coded, and coded".utf8)

    /// Returns the response that has content with these codings.
    private static func response(_ coding: String?, _ status: HTTPResponse.Status = .ok) -> HTTPResponse {
        HTTPResponse(status: status, headerFields: coding.map { [.contentEncoding: $0] } ?? [:])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let coding: String
        let content: [UInt8]
        var decoded = text
        var testDescription: String { "\(coding), \(content.count) bytes" }
    }

    static let rows: [Row] = [
        Row(coding: "gzip", content: coded(text, 31)), Row(coding: "X-GZIP", content: coded(text, 31)),
        Row(coding: "deflate", content: coded(text, 15)), Row(coding: "deflate", content: coded(text, -15)),
        Row(coding: "identity", content: text), Row(coding: "identity, gzip", content: coded(text, 31)),
        Row(coding: "deflate,\tgzip", content: coded(coded(text, 15), 31)),
        Row(coding: "gzip deflate", content: coded(coded(text, 31), 15)),
        Row(coding: "br", content: text), Row(coding: "br, gzip", content: text),
        Row(coding: "gzip, br", content: text),
        // RFC 1952 §2.2: several members are one content; what else follows is ignored.
        Row(coding: "gzip", content: coded(text, 31) + coded(text, 31), decoded: text + text),
        Row(coding: "gzip", content: coded(text, 31) + [0, 0]),
        Row(coding: "deflate", content: coded(text, 15) + coded(text, 31)),
    ]

    @Test("Known codings are undone, the last first, and no other is", arguments: rows)
    func decoded(row: Row) throws {
        let response = Self.response(row.coding)
        #expect(try ContentDecoder.decode(row.content, of: response, limit: 1000) == row.decoded)
        for size in [1, 7, 1000] {
            var decoder = ContentDecoder(response, limit: 1000)
            var decoded: [UInt8] = []
            for start in stride(from: 0, to: row.content.count, by: size) {
                decoded += try decoder.decode(Array(row.content[start...].prefix(size)))
            }
            try decoder.finish()
            #expect(decoded == row.decoded)
        }
    }

    @Test("Neither a part nor content whose reader wants its coding is decoded")
    func unchanged() throws {
        let content = coded(Self.text, 31)
        #expect(ContentDecoder(Self.response(nil), limit: 9).isIdentity)
        #expect(ContentDecoder(Self.response("gzip"), limit: 9, isNeeded: false).isIdentity)
        #expect(ContentDecoder(Self.response("gzip", .partialContent), limit: 9).isIdentity)
        #expect(!ContentDecoder(Self.response("gzip"), limit: 9).isIdentity)
        let part = Self.response("gzip", .partialContent)
        #expect(try ContentDecoder.decode(content, of: part, limit: 9) == content)
    }

    @Test(
        "Content may be as large as the limit, decoded, however it arrives",
        arguments: [31, 15, -15] as [Int32]
    )
    func limit(bits: Int32) throws {
        let bytes = [UInt8](repeating: 1, count: 200_000)
        let content = coded(bytes, bits)
        let response = Self.response(bits == 31 ? "gzip" : "deflate")
        #expect(try ContentDecoder.decode(content, of: response, limit: bytes.count).count == bytes.count)
        var decoder = ContentDecoder(response, limit: bytes.count - 1)
        let error = #expect(throws: TransportError.self) {
            for byte in content { _ = try decoder.decode([byte]) }
        }
        #expect(error?.kind == .tooLarge)
        #expect(error?.detail.hasPrefix("The decoded content is larger than") == true)
    }

    @Test("The limit is that of all pieces together")
    func limitOfAll() throws {
        let content = coded(Self.text, 31)
        var decoder = ContentDecoder(Self.response("gzip"), limit: 2 * Self.text.count - 1)
        _ = try decoder.decode(content)
        let error = #expect(throws: TransportError.self) { _ = try decoder.decode(content) }
        #expect(error?.kind == .tooLarge)
    }

    @Test("Damaged content and content that ends too early fail with -1015", arguments: ["gzip", "deflate"])
    func damaged(coding: String) throws {
        let content = coded(Self.text, coding == "gzip" ? 31 : 15)
        let response = Self.response(coding)
        for damaged in [Array(content.dropLast()), Array(content.prefix(3)), [0xFF, 0xFF, 0xFF, 0xFF]] {
            let error = #expect(throws: TransportError.self) {
                try ContentDecoder.decode(damaged, of: response, limit: 1000)
            }
            #expect(error?.kind == .cannotDecode)
        }
        // No content has nothing that is missing.
        #expect(try ContentDecoder.decode([], of: response, limit: 1000) == [])
        var decoder = ContentDecoder(response, limit: 1000)
        #expect(try decoder.decode([]) == [])
        try decoder.finish()
    }

    @Test("A further member that is damaged is noticed, and one that ends too early")
    func furtherMember() throws {
        let content = coded(Self.text, 31)
        for further in [Array(content.dropLast()), [0x1F], [0x1F, 0x00, 0x00]] {
            let error = #expect(throws: TransportError.self) {
                try ContentDecoder.decode(content + further, of: Self.response("gzip"), limit: 1000)
            }
            #expect(error?.kind == .cannotDecode)
        }
    }
}
