import CacheSemantics
import CacheStorage
import HTTPTypes
import Testing

@Suite("Entries of equivalent target URIs, RFC 9111 §4.4, RFC 3986 §6.2.2")
struct EquivalentTests {
    private static let spellings = ["a", "%61", "x/../a", "x/%2E%2e/a", "./%61"]

    private func entry(_ path: String, content: String = "", variant: String = "") -> CacheEntry {
        let stored = StoredResponse(
            key: CacheKey(targetURI: "http://example.test/" + path, content: content),
            variant: VariantKey(text: variant),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .ok),
            requestTime: HTTPDate(secondsSinceEpoch: 1_000_000),
            responseTime: HTTPDate(secondsSinceEpoch: 1_000_000)
        )
        return CacheEntry(stored: stored, body: .bytes([1]))
    }

    private func isInvalidated(_ entry: CacheEntry, in store: CacheStore) -> Bool? {
        store.entries(for: entry.stored.key).entries.first?.entry.stored.isInvalidated
    }

    @Test(
        "Any spelling invalidates all spellings, in memory and on disk, and nothing else",
        arguments: spellings
    )
    func invalidated(spelling: String) throws {
        let folder = try TemporaryFolder()
        let all =
            Self.spellings.map { entry($0) } + [entry("%61", content: ";p:1"), entry("a", content: "q:1")]
        let others = [entry("b"), entry("%62"), entry("a/"), entry("%2561")]
        for isOnDisk in [false, true] {
            var store = isOnDisk ? try folder.store() : try folder.store(disk: 0)
            for entry in all + others { store.put(entry) }
            if isOnDisk {
                store.close()
                store = try folder.store()
            }
            store.invalidate(key(spelling))
            #expect(all.map { isInvalidated($0, in: store) } == Array(repeating: true, count: all.count))
            #expect(
                others.map { isInvalidated($0, in: store) } == Array(repeating: false, count: others.count)
            )
            store.close()
        }
    }

    @Test("An entry of another process is invalidated by another spelling")
    func otherProcess() throws {
        let folder = try TemporaryFolder()
        let (mine, theirs) = (try folder.store(), try folder.store())
        theirs.put(entry("%61"))
        theirs.flush()
        mine.invalidate(key("a"))
        #expect(isInvalidated(entry("%61"), in: mine) == true)
        #expect(isInvalidated(entry("%61"), in: theirs) == true)
    }

    /// The ways of withdrawing all spellings at once.
    enum Withdrawal: CaseIterable {
        case invalidation, removal, prefix

        func happen(in store: CacheStore, _ spelling: String) -> ChangeOutcome {
            switch self {
            case .invalidation: store.invalidate(key(spelling))
            case .removal: store.remove(targetURI: key(spelling).targetURI)
            // A prefix is compared with the normalized target URI, and is not normalized itself.
            case .prefix: store.remove(prefix: key("a").targetURI)
            }
        }
    }

    @Test(
        "Any spelling withdraws entries that another store has yet to write, and its pending requests",
        arguments: spellings,
        Withdrawal.allCases
    )
    func otherStore(spelling: String, withdrawal: Withdrawal) throws {
        let folder = try TemporaryFolder()
        let (mine, theirs) = (try folder.store(), try folder.store())
        theirs.deferWrites(true)
        let all = Self.spellings.map { entry($0) } + [entry("%61", content: ";p:1")]
        for entry in all + [entry("b")] { theirs.put(entry) }
        let watches = all.map { theirs.watch($0.stored.key) } + [theirs.watch(key("b"))]
        #expect(withdrawal.happen(in: mine, spelling).failure == nil)
        for entry in all { #expect(isInvalidated(entry, in: theirs) != false) }
        #expect(isInvalidated(entry("b"), in: theirs) == false)
        let isTold = watches.map { withdrawal == .invalidation ? $0.isInvalidated : $0.isCleared }
        #expect(isTold == Array(repeating: true, count: all.count) + [false])
        theirs.close()
        let again = try folder.store()
        for entry in all { #expect(isInvalidated(entry, in: again) != false) }
        #expect(isInvalidated(entry("b"), in: again) == false)
    }

    @Test("A pending response is outdated by an invalidation of another spelling")
    func watched() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(disk: 0)
        let (same, other) = (store.watch(key("%61")), store.watch(key("%62")))
        store.invalidate(key("a"))
        #expect(same.isInvalidated)
        #expect(!other.isInvalidated)
    }

    @Test("A spelling that was removed or replaced is no longer found, and the others are")
    func replaced() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(disk: 0)
        store.put(entry("%61", variant: "1"))
        store.put(entry("%61", variant: "2"))
        store.remove(key("%61"), VariantKey(text: "1"))
        store.invalidate(key("a"))
        #expect(isInvalidated(entry("%61"), in: store) == true)
        store.remove(key("%61"), VariantKey(text: "2"))
        #expect(store.remove(targetURI: key("a").targetURI).keys == 0)
        store.put(entry("%61"))
        store.removeAll()
        #expect(store.remove(targetURI: key("a").targetURI).keys == 0)
    }

    @Test("All spellings, partitions and variants are removed from both tiers, and counted by key")
    func removed() throws {
        let folder = try TemporaryFolder()
        let all = [
            entry("a"), entry("a", variant: "1"), entry("%61"), entry("a", content: ";p:1"),
            entry("./a", content: ";p:1"),
        ]
        var store = try folder.store()
        let other = try folder.store()
        for entry in all + [entry("b")] { store.put(entry) }
        store.flush()
        #expect(all.allSatisfy { isInvalidated($0, in: other) != nil })
        #expect(store.remove(targetURI: key("%61").targetURI).keys == 4)
        for store in [store, other] {
            #expect(all.allSatisfy { isInvalidated($0, in: store) == nil })
            #expect(isInvalidated(entry("b"), in: store) == false)
        }
        store.close()
        store = try folder.store()
        #expect(store.entryCount == 1)
    }
}
