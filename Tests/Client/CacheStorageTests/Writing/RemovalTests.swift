import CacheSemantics
import CacheStorage
import Clocks
import GRDB
import HTTPTypes
import TestSupport
import Testing

@Suite("Removals leave nothing, and remove nothing else", .blocking)
struct RemovalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The removals of one entry.
    enum Removal: CaseIterable {
        case variant, wholeKey, targetURI, prefix, tag, origin, since, all

        func happen(in store: CacheStore) -> ChangeOutcome {
            let origin = "http://example.test"
            return switch self {
            case .variant: store.remove(key("a"), VariantKey())
            case .wholeKey: store.remove(key("a"))
            case .targetURI: store.remove(targetURI: origin + "/a")
            case .prefix: store.remove(prefix: origin + "/")
            case .tag: store.remove(tag: "t", of: origin)
            case .origin: store.removeAll(of: origin)
            case .since: store.remove(storedSince: .seconds(999_999))
            case .all: store.removeAll()
            }
        }
    }

    @Test(
        "A removed entry leaves nothing in the database but the change",
        arguments: Removal.allCases,
        [true, false]
    )
    func remains(removal: Removal, isReopened: Bool) throws {
        var store = try folder.store(tagFields: [.surrogateKey])
        store.put(tagged)
        store.flush()
        if isReopened {
            store.close()
            store = try folder.store(tagFields: [.surrogateKey])
        }
        #expect(removal.happen(in: store) == .done(keys: 1))
        store.close()
        let database = try DatabaseQueue(path: folder.path + "/entries.sqlite")
        let rows = try database.read { db in
            try ["entry", "content", "label"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") }
        }
        try database.close()
        #expect(rows == [0, 0, 0])
    }

    @Test(
        "What was stored at the very time, or before, is not removed as stored since then",
        arguments: [true, false]
    )
    func since(isOnDisk: Bool) throws {
        let clock = VirtualClock(wallSeconds: 100)
        let store = try folder.store(
            memory: isOnDisk ? 0 : 4 << 20,
            disk: isOnDisk ? 20 << 20 : 0,
            clock: clock
        )
        store.put(entry("a"))
        clock.advance(by: .seconds(1))
        store.put(entry("b"))
        #expect(store.remove(storedSince: .seconds(100)) == .done(keys: 1))
        #expect(["a", "b"].map { store.tiers($0).count } == [1, 0])
    }

    @Test("The time of storing is that of a clock that was set back")
    func setBack() throws {
        let clock = VirtualClock(wallSeconds: 1_000)
        let store = try folder.store(disk: 0, clock: clock)
        store.put(entry("a"))
        clock.jump(by: .seconds(-500))
        store.put(entry("b"))
        #expect(store.entries(for: key("b")).entries.map(\.entry.storedAt) == [.seconds(500)])
    }

    /// Where an entry is that has a prefix.
    enum Place: CaseIterable {
        case memoryAlone, memoryByPolicy, waiting, both, disk, evictedFromDisk
    }

    @Test("A prefix is removed wherever its entries are", arguments: Place.allCases)
    func prefix(place: Place) throws {
        let store = try folder.store(
            memory: place == .disk ? 0 : 4 << 20,
            disk: place == .memoryAlone ? 0 : 20 << 20
        )
        store.deferWrites(place == .waiting)
        store.put(entry("a", policy: place == .memoryByPolicy ? .allowedInMemoryOnly : .allowed))
        if place != .waiting { store.flush() }
        if place == .evictedFromDisk { store.setCapacities(disk: .bytes(100)) }
        #expect(store.entryCount == 1)
        #expect(store.remove(prefix: "http://example.test/") == .done(keys: 1))
        #expect(store.tiers("a") == [])
        #expect(store.entryCount == 0)
    }

    @Test("A group that an entry in memory joined later is invalidated")
    func joined() throws {
        let store = try folder.store(disk: 0)
        store.put(entry("a"))
        #expect(store.freshen(tagged.stored))
        store.invalidate(groups: ["g"], of: "http://example.test")
        #expect(store.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [true])
    }

    /// An entry with a tag, in a group.
    private var tagged: CacheEntry {
        let plain = entry("a")
        let stored = StoredResponse(
            key: plain.stored.key,
            variant: plain.stored.variant,
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .ok, headerFields: [.surrogateKey: "t", .cacheGroups: "\"g\""]),
            requestTime: plain.stored.requestTime,
            responseTime: plain.stored.responseTime
        )
        return CacheEntry(stored: stored, body: plain.body)
    }

    @Test("The empty prefix is that of everything", arguments: [true, false])
    func emptyPrefix(isReopened: Bool) throws {
        var store = try folder.store(disk: isReopened ? 20 << 20 : 0)
        for path in ["a", "b", "%61"] { store.put(entry(path)) }
        if isReopened {
            store.close()
            store = try folder.store()
        }
        #expect(store.remove(prefix: "") == .done(keys: 3))
        #expect(store.entryCount == 0)
    }

    @Test("In memory, too, a prefix is compared with the target URI as requested and normalized")
    func spellings() throws {
        let store = try folder.store(disk: 0)
        for path in ["%61/1", "a/2", "b/3"] { store.put(entry(path)) }
        store.put(tagged)
        #expect(store.remove(prefix: "http://example.test/%61") == .done(keys: 1))
        store.put(entry("%61/1"))
        #expect(store.remove(prefix: "http://example.test/a") == .done(keys: 3))
        #expect(store.entryCount == 1)
    }
}
