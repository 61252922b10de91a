import CacheSemantics
@testable import CacheStorage
import HTTPTypes
import Testing
import TestSupport

@Suite("Removal by tag", .blocking)
struct TagTests {
    private static let origin = "http://example.test"
    private static let fields: [HTTPField.Name] = [.surrogateKey, .cacheTag]

    /// Returns an entry with fields that may have tags.
    private func tagged(_ path: String, variant: String = "", host: String = origin, _ fields: HTTPFields)
        -> CacheEntry
    {
        let stored = StoredResponse(
            key: CacheKey(targetURI: "\(host)/\(path)"),
            variant: VariantKey(text: variant),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .ok, headerFields: fields),
            requestTime: HTTPDate(secondsSinceEpoch: 1_000_000),
            responseTime: HTTPDate(secondsSinceEpoch: 1_000_000)
        )
        return CacheEntry(stored: stored, body: .bytes([1]))
    }

    private func has(_ entry: CacheEntry, in store: CacheStore) -> Bool {
        store.entries(for: entry.stored.key).entries.contains {
            $0.entry.stored.variant == entry.stored.variant
        }
    }

    /// A field, and whether a response with it has the tag `b`.
    struct Row: CustomTestStringConvertible {
        let name: HTTPField.Name
        let value: String
        let isFound: Bool

        var testDescription: String { "\(name): \(value)" }
    }

    @Test(
        "Tags are separated by spaces, tabs or commas, and are compared byte for byte; groups are strings",
        arguments: [
            Row(name: .surrogateKey, value: "a b c", isFound: true),
            Row(name: .surrogateKey, value: "b", isFound: true),
            Row(name: .surrogateKey, value: "a\tb", isFound: true),
            Row(name: .surrogateKey, value: "bb B ab", isFound: false),
            Row(name: .cacheTag, value: "a,b,c", isFound: true),
            Row(name: .cacheTag, value: "a , b", isFound: true),
            Row(name: .cacheTag, value: ",,b,", isFound: true),
            Row(name: .cacheTag, value: "\"b\"", isFound: false),
            Row(name: .cacheTag, value: "", isFound: false),
            Row(name: .cacheGroups, value: "\"a\", \"b\";x=1", isFound: true),
            Row(name: .cacheGroups, value: "b", isFound: false),
            Row(name: .cacheGroups, value: "\"a b\"", isFound: false),
            Row(name: .eTag, value: "b", isFound: false),
        ]
    )
    func syntax(row: Row) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(tagFields: Self.fields)
        let entry = tagged("1", [row.name: row.value])
        store.put(entry)
        #expect(store.remove(tag: "b", of: Self.origin).keys == (row.isFound ? 1 : 0))
        #expect(has(entry, in: store) != row.isFound)
    }

    @Test(
        "A tag that is not UTF-8 is removed by its text in ISO-8859-1, one in UTF-8 by its text",
        arguments: [[0x61, 0x20, 0x63, 0xE9], [0x63, 0xC3, 0xA9]] as [[UInt8]]
    )
    func encodings(value: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(tagFields: Self.fields)
        store.put(tagged("1", HTTPFields([HTTPField(name: .surrogateKey, value: value)])))
        #expect(store.remove(tag: "c\u{FFFD}", of: Self.origin).keys == 0)
        #expect(store.remove(tag: "c\u{E9}", of: Self.origin).keys == 1)
    }

    @Test("Every line of a field counts, and a tag may contain any text that a group may")
    func lines() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(tagFields: Self.fields)
        var fields = HTTPFields()
        fields.append(HTTPField(name: .cacheTag, value: "a"))
        fields.append(HTTPField(name: .cacheTag, value: "b"))
        let (both, spaced) = (tagged("1", fields), tagged("2", [.cacheGroups: "\"b c\""]))
        store.put(both)
        store.put(spaced)
        #expect(store.remove(tag: "b c", of: Self.origin).keys == 1)
        #expect(has(both, in: store) && !has(spaced, in: store))
        #expect(store.remove(tag: "b", of: Self.origin).keys == 1)
    }

    /// The places of entries to remove.
    enum Place: CaseIterable {
        case memory, waiting, disk, otherMemory, otherWaiting, otherDisk, reopened
    }

    @Test(
        "A tag's responses are removed everywhere, and none of another origin, tag or variant",
        arguments: Place.allCases
    )
    func places(place: Place) throws {
        let folder = try TemporaryFolder()
        let usesDisk = place != .memory
        var own = try folder.store(disk: usesDisk ? 20 << 20 : 0, tagFields: Self.fields)
        let isOther = [.otherMemory, .otherWaiting, .otherDisk].contains(place)
        let other = try usesDisk ? folder.store(tagFields: Self.fields) : own
        let holder = isOther ? other : own
        holder.deferWrites([.waiting, .otherWaiting].contains(place))
        let gone = [
            tagged("1", [.surrogateKey: "x t"]), tagged("2", [.cacheGroups: "\"t\""]),
            tagged("3", variant: "en", [.cacheTag: "t"]),
        ]
        let kept = [
            tagged("3", variant: "de", [:]), tagged("4", [.surrogateKey: "tt"]),
            tagged("5", host: "http://other.test", [.surrogateKey: "t"]),
            tagged("6", host: Self.origin + ":8080", [.cacheGroups: "\"t\""]),
        ]
        for entry in gone + kept { holder.put(entry) }
        if [.disk, .otherDisk].contains(place) {
            holder.flush()
            holder.setCapacities(memory: .zero)
        }
        if place == .reopened {
            own.close()
            own = try folder.store(tagFields: Self.fields)
        }
        if place == .otherMemory { for entry in gone + kept { #expect(has(entry, in: other)) } }
        #expect(own.remove(tag: "t", of: Self.origin).failure == nil)
        for store in [own, other] {
            for entry in gone { #expect(!has(entry, in: store)) }
        }
        for entry in kept { #expect(has(entry, in: holder === other ? other : own)) }
    }

    @Test("Groups that a response invalidates are not tags, and a group can be removed as a tag")
    func groups() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(tagFields: Self.fields)
        let entry = tagged("1", [.surrogateKey: "t"])
        store.put(entry)
        store.invalidate(groups: ["t"], of: Self.origin)
        #expect(store.entries(for: entry.stored.key).entries.first?.entry.stored.isInvalidated == false)
    }

    @Test(
        "A tag in new metadata counts, even if that waits in another store; an old one does not",
        arguments: [false, true]
    )
    func freshened(isOther: Bool) throws {
        let folder = try TemporaryFolder()
        let (own, other) = (
            try folder.store(tagFields: Self.fields), try folder.store(tagFields: Self.fields)
        )
        let holder = isOther ? other : own
        let (gains, loses) = (tagged("1", [:]), tagged("2", [.surrogateKey: "t"]))
        holder.put(gains)
        holder.put(loses)
        holder.flush()
        holder.deferWrites(true)
        #expect(holder.freshen(tagged("1", [.surrogateKey: "t"]).stored))
        #expect(own.remove(tag: "t", of: Self.origin).failure == nil)
        for store in [own, other] { #expect(!has(gains, in: store)) }
        holder.put(loses)
        #expect(holder.freshen(tagged("2", [.surrogateKey: "u"]).stored))
        holder.flush()
        #expect(own.remove(tag: "t", of: Self.origin).keys == 0)
        #expect(has(loses, in: own))
    }

    @Test("A pending response that turns out to have the tag has to be validated")
    func underWay() throws {
        let folder = try TemporaryFolder()
        let (own, other) = (
            try folder.store(tagFields: Self.fields), try folder.store(tagFields: Self.fields)
        )
        let (coming, plain) = (tagged("1", [.surrogateKey: "t"]), tagged("2", [:]))
        let watches = [own, other].map { ($0.watch(coming.stored.key), $0.watch(plain.stored.key)) }
        own.remove(tag: "t", of: Self.origin)
        _ = other.entries(for: plain.stored.key)
        for (ofComing, ofPlain) in watches {
            #expect(ofComing.isInvalidated(for: coming.stored))
            #expect(!ofPlain.isInvalidated(for: plain.stored))
        }
    }

    @Test("A field that is not configured has no tags")
    func unconfigured() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(tagFields: [.cacheTag])
        let entry = tagged("1", [.surrogateKey: "t"])
        store.put(entry)
        #expect(store.remove(tag: "t", of: Self.origin).keys == 0)
        #expect(has(entry, in: store))
    }

    @Test("The labels of an entry count as memory")
    func labelCost() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(disk: 0)
        let names = (0..<200).map { "\"g\($0)\"" }.joined(separator: ", ")
        store.put(tagged("a", [.cacheTag: names]))
        let plain = store.memoryUsage.bytes
        store.put(tagged("b", [.cacheGroups: names]))
        #expect(store.memoryUsage.bytes - 2 * plain >= 200 * 100)
    }
}
