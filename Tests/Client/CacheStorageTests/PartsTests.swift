import CacheSemantics
import HTTPTypes
import Testing

@testable import CacheStorage

@Suite("Order of use")
struct RecencyListTests {
    @Test("The oldest slot is the least recently used")
    func order() {
        var list = RecencyList()
        let slots = (0..<4).map { _ in list.add() }
        #expect(slots == [0, 1, 2, 3])
        list.touch(0)
        #expect(list.oldest == 1)
        list.remove(1)
        #expect(list.oldest == 2)
        list.touch(3)
        #expect(list.newest == 3)
        #expect(list.older(than: 3) == 0)
        #expect(list.add() == 1)
        #expect(list.newest == 1)
    }

    @Test("It is empty after its last slot is removed, and works again")
    func emptying() {
        var list = RecencyList()
        list.remove(list.add())
        #expect(list.oldest == nil)
        #expect(list.newest == nil)
        #expect(list.add() == 0)
        #expect(list.oldest == 0)
    }
}

@Suite("Binary form of metadata")
struct EntryMetadataTests {
    private var sample: CacheEntry {
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
            responseTime: HTTPDate(secondsSinceEpoch: 7)
        )
        return CacheEntry(
            stored: stored,
            body: .bytes([]),
            userInfo: ["a": .text("ü"), "b": .integer(.min), "c": .number(-0.5), "d": .boolean(false)]
        )
    }

    private func decode(_ bytes: [UInt8]) -> EntryMetadata? {
        bytes.withUnsafeBytes { EntryMetadata($0, isInvalidated: false) }
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

    @Test("Its size is known without encoding it", arguments: [0, 127, 128, 16_383, 16_384])
    func size(length: Int) {
        var entry = sample
        entry.userInfo["long"] = .text(String(repeating: "x", count: length))
        #expect(EntryMetadata(entry).encodedSize == EntryMetadata(entry).encoded().count)
    }

    @Test("No prefix of it decodes, nor does it with an additional byte")
    func truncated() {
        let bytes = EntryMetadata(sample).encoded()
        for count in 0..<bytes.count where decode(Array(bytes[..<count])) != nil {
            Issue.record("\(count) bytes")
        }
        #expect(decode(bytes + [0]) == nil)
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

@Suite("Memory tier")
struct MemoryTierTests {
    @Test("A second key with the same digest takes the first one's place")
    func collision() {
        var tier = MemoryTier()
        tier.insert(entry("a"), as: MemoryTier.Node(digest: 1, variant: VariantKey(), size: 10))
        tier.insert(entry("b"), as: MemoryTier.Node(digest: 1, variant: VariantKey(), size: 20))
        #expect(tier.group(key("a"), digest: 1) == nil)
        #expect(tier.group(key("b"), digest: 1) != nil)
        #expect(tier.usage == 20)
        #expect(tier.countWithoutDisk == 1)
        tier.removeGroup(digest: 1)
        #expect(tier.usage == 0)
        #expect(tier.oldest == nil)
    }
}

@Suite("Disk index")
struct DiskIndexTests {
    private func record(_ digest: UInt64, _ variant: UInt64, size: Int = 1) -> DiskIndex.Record {
        DiskIndex.Record(
            digest: digest,
            variant: variant,
            size: size,
            storedAt: 0,
            file: 0,
            isInvalidated: false
        )
    }

    @Test("Variants of one key are found until they are removed, in any order")
    func chains() {
        for gone in 0..<3 {
            var index = DiskIndex()
            let slots = (0..<3).map { index.insert(record(9, UInt64($0))) }
            index.remove(slots[gone])
            #expect(index.slots(9).count == 2)
            #expect(index.slot(9, variant: UInt64(gone)) == nil)
            for slot in slots where slot != slots[gone] { index.remove(slot) }
            #expect(index.slots(9).isEmpty)
            #expect(index.count == 0)
            #expect(index.usage == 0)
        }
    }

    @Test("A reused slot does not match its old serial number")
    func reuse() {
        var index = DiskIndex()
        let first = index.insert(record(1, 0))
        let serial = index[first].serial
        index.remove(first)
        let second = index.insert(record(2, 0))
        #expect(second == first)
        #expect(index[second].serial != serial)
        #expect(index.slot(1, serial: serial) == nil)
    }
}
