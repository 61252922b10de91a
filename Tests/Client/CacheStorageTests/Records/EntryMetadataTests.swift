import CacheSemantics
import HTTPTypes
import Testing

@testable import CacheStorage

@Suite("Binary form of metadata")
struct EntryMetadataTests {
    private var sample: CacheEntry { sample() }

    private func sample(parts: StoredParts? = nil, contentOf: VariantKey? = nil) -> CacheEntry {
        var fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"v\"", .vary: "Accept-Language"]
        fields.append(HTTPField(name: .setCookie, value: "a=1"))
        fields.append(HTTPField(name: .number, lenientValue: [0xE9, 0x20, 0xFF]))
        fields.append(HTTPField(name: .setCookie, value: "b=2"))
        let stored = StoredResponse(
            key: CacheKey(targetURI: "https://example.test/ü?x=1", content: "digest"),
            variant: VariantKey(text: "accept-language: de"),
            method: .get,
            selectingFields: [.acceptLanguage: "de"],
            response: HTTPResponse(status: .init(code: 203, reasonPhrase: "Other"), headerFields: fields),
            requestTime: HTTPDate(secondsSinceEpoch: -5),
            responseTime: HTTPDate(secondsSinceEpoch: 7),
            parts: parts,
            contentOf: contentOf
        )
        return CacheEntry(
            stored: stored,
            body: .bytes([]),
            userInfo: [
                "a": .text("ü"), "b": .integer(.min), "c": .number(-0.5), "d": .boolean(false),
                "e": .boolean(true),
            ]
        )
    }

    private func decode(_ bytes: [UInt8], of key: CacheKey? = nil, isInvalidated: Bool = false)
        -> EntryMetadata?
    {
        bytes.withUnsafeBytes { EntryMetadata($0, of: key, isInvalidated: isInvalidated) }
    }

    @Test("Every part is preserved, including the order and bytes of the fields")
    func roundTrip() throws {
        let decoded = try #require(decode(EntryMetadata(sample).encoded()))
        let entry = decoded.entry(body: .bytes([]), isInvalidated: false)
        #expect(entry.stored.key == sample.stored.key)
        #expect(entry.stored.variant == sample.stored.variant)
        #expect(entry.stored.method == .get)
        #expect(entry.stored.selectingFields == [.acceptLanguage: "de"])
        #expect(entry.stored.response.status.code == 203)
        #expect(entry.stored.response.status.reasonPhrase == "Other")
        #expect(Array(entry.stored.response.headerFields) == Array(sample.stored.response.headerFields))
        #expect(entry.stored.requestTime.secondsSinceEpoch == -5)
        #expect(entry.stored.responseTime.secondsSinceEpoch == 7)
        #expect(entry.userInfo == sample.userInfo)
        #expect(decoded.encoded() == EntryMetadata(sample).encoded())
    }

    @Test(
        "The key is the one in the bytes, whichever is expected",
        arguments: [
            CacheKey(targetURI: "https://example.test/ü?x=1", content: "digest"),
            CacheKey(targetURI: "https://example.test/ü?x=2", content: "digest"),
            CacheKey(targetURI: "https://example.test/ü?x=12", content: "digest"),
            CacheKey(targetURI: "https://example.test/ü?x=", content: "digest"),
            CacheKey(targetURI: "https://example.test/ü?x=1", content: ""),
            CacheKey(targetURI: "https://example.test/ü?x=1", content: "digests"),
            CacheKey(targetURI: "https://example.test/ü?x=1", content: "other"),
        ]
    )
    func expectedKey(key: CacheKey) {
        #expect(decode(EntryMetadata(sample).encoded(), of: key)?.stored.key == sample.stored.key)
    }

    @Test("Parts are preserved, with and without a complete length", arguments: [10, nil] as [Int64?])
    func parts(completeLength: Int64?) throws {
        let ranges = [ByteRange(first: 0, last: 1), ByteRange(first: 4, last: 8)].compactMap { $0 }
        let parts = try #require(StoredParts(ranges, completeLength: completeLength))
        let decoded = decode(EntryMetadata(sample(parts: parts)).encoded())
        #expect(decoded?.stored.parts == parts)
        #expect(decoded?.stored.isAlias == false)
    }

    @Test("An alias keeps the variant whose content it has")
    func alias() {
        let other = VariantKey(text: "accept-language: en")
        let decoded = decode(EntryMetadata(sample(contentOf: other)).encoded())
        #expect(decoded?.stored.isAlias == true)
        #expect(decoded?.stored.contentVariant == other)
        #expect(decoded?.stored.parts == nil)
    }

    @Test("What belongs to the entry is preserved, and whether it is invalidated is known beside it")
    func ofEntry() throws {
        var entry = sample
        (entry.storagePolicy, entry.storedSeconds, entry.version) = (.allowedInMemoryOnly, 1.5, .http2)
        let metadata = try #require(decode(EntryMetadata(entry).encoded(), isInvalidated: true))
        #expect(metadata.stored.isInvalidated)
        let read = metadata.entry(body: .bytes([1, 2]), isInvalidated: false)
        #expect(read.storagePolicy == .allowedInMemoryOnly)
        #expect(read.storedAt == .seconds(1.5))
        #expect(read.version == .http2)
        #expect(!read.stored.isInvalidated)
    }

    @Test("Its size is known without encoding it", arguments: [0, 127, 128, 16_383, 16_384])
    func size(length: Int) {
        var entry = sample
        entry.userInfo["long"] = .text(String(repeating: "x", count: length))
        #expect(EntryMetadata(entry).encodedSize == EntryMetadata(entry).encoded().count)
    }

    @Test("No prefix of it decodes, nor does it with an additional byte")
    func truncated() throws {
        let range = try #require(ByteRange(first: 2, last: 4))
        let parts = try #require(StoredParts([range], completeLength: 10))
        let samples = [sample, sample(parts: parts), sample(contentOf: VariantKey(text: "a: b"))]
        for bytes in samples.map({ EntryMetadata($0).encoded() }) {
            for count in 0..<bytes.count where decode(Array(bytes[..<count])) != nil {
                Issue.record("\(count) bytes")
            }
            #expect(decode(bytes + [0]) == nil)
        }
    }

    @Test("Every status code of three digits is preserved", arguments: [0, 100, 200, 999])
    func status(code: Int) {
        var entry = sample
        entry.stored = StoredResponse(
            key: key("a"),
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .init(code: code)),
            requestTime: HTTPDate(secondsSinceEpoch: 0),
            responseTime: HTTPDate(secondsSinceEpoch: 0)
        )
        #expect(decode(EntryMetadata(entry).encoded())?.stored.response.status.code == code)
    }

    @Test(
        "The bytes of a field are preserved, whichever they are",
        arguments: [[], [0x20], [0x61, 0x7F], [0x7F], [0x7E], [0x09, 0x61], [0x61, 0x20, 0x62], [0x80]]
            as [[UInt8]]
    )
    func value(bytes: [UInt8]) {
        var entry = sample
        let field = HTTPField(name: .number, lenientValue: bytes)
        entry.stored = StoredResponse(
            key: key("a"),
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .ok, headerFields: HTTPFields([field])),
            requestTime: HTTPDate(secondsSinceEpoch: 0),
            responseTime: HTTPDate(secondsSinceEpoch: 0)
        )
        let fields = decode(EntryMetadata(entry).encoded())?.stored.response.headerFields
        #expect(fields.map { Array($0) } == [field])
    }

    @Test("Parts that no response has do not decode")
    func impossibleParts() throws {
        let range = try #require(ByteRange(first: 2, last: 4))
        let parts = try #require(StoredParts([range], completeLength: 10))
        let bytes = EntryMetadata(sample(parts: parts)).encoded()
        // The last bytes are the complete length plus one, in eight bytes, and that it is no alias.
        let place = bytes.count - 9
        #expect(bytes[place] == 11)
        for length in [UInt8(5), 4] {
            var changed = bytes
            changed[place] = length + 1
            #expect((decode(changed) != nil) == (length == 5), "\(length)")
        }
    }

    @Test("Damaged bytes do not decode, or to what encodes and decodes again")
    func junk() {
        var generator = Steps(state: 7)
        let bytes = EntryMetadata(sample).encoded()
        var accepted = 0
        for _ in 0..<20_000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                changed[Int.random(in: 0..<bytes.count, using: &generator)] =
                    UInt8.random(in: .min ... .max, using: &generator)
            }
            guard let decoded = decode(changed) else { continue }
            accepted += 1
            let again = decoded.encoded()
            #expect(decode(again)?.encoded() == again)
        }
        #expect(accepted > 0)
    }

    @Test("Another version is not decoded")
    func version() {
        var bytes = EntryMetadata(sample).encoded()
        bytes[0] = 1
        #expect(decode(bytes) == nil)
    }
}
