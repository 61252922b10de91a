import CacheSemantics
import CacheStorage
import Testing

@Suite("Watching a key")
struct KeyWatchTests {
    @Test("A watch sees an invalidation of its key, not of another")
    func invalidation() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let (mine, other) = (store.watch(key("a")), store.watch(key("b")))
        store.invalidate(key("a"))
        #expect(mine.isInvalidated && mine.isChanged)
        #expect(!other.isInvalidated && !other.isChanged)
    }

    @Test("A watch sees storing and updates, which are not invalidations")
    func changes() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let beforePut = store.watch(key("a"))
        _ = store.put(entry("a"))
        #expect(beforePut.isChanged && !beforePut.isInvalidated)
        let beforeFreshening = store.watch(key("a"))
        #expect(!beforeFreshening.isChanged)
        #expect(store.freshen(response("a", number: 2)))
        #expect(beforeFreshening.isChanged && !beforeFreshening.isInvalidated)
    }

    @Test("A watch does not see events from before it began")
    func before() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        var first: KeyWatch? = store.watch(key("a"))
        store.invalidate(key("a"))
        #expect(first?.isInvalidated == true)
        first = nil
        #expect(!store.watch(key("a")).isInvalidated)
    }

    @Test("An entry that is stored as invalidated is invalidated in memory and on disk")
    func storedInvalidated() throws {
        let folder = try TemporaryFolder()
        var invalidated = entry("a")
        invalidated.stored = invalidated.stored.invalidated()
        let store = try folder.store()
        _ = store.put(invalidated)
        #expect(store.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [true])
        store.close()
        let again = try folder.store()
        #expect(again.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [true])
    }

    /// A change by the store, and what a watch of `a?x=1` reports of it.
    enum Change: CaseIterable {
        case none, key, group, otherQuery, otherPath, ownContent, removal

        func happen(in store: CacheStore) {
            switch self {
            case .none: break
            case .key: store.invalidate(CacheStorageTests.key("a?x=1"))
            case .group: store.invalidate(groups: ["g"], of: "http://example.test")
            case .otherQuery: store.invalidate(CacheStorageTests.key("a?x=2"))
            case .otherPath: store.invalidate(CacheStorageTests.key("b?x=1"))
            case .removal: store.remove(targetURI: CacheStorageTests.key("a?x=1").targetURI)
            case .ownContent:
                store.invalidate(CacheKey(targetURI: "http://example.test/a?x=1", content: "q"))
            }
        }
    }

    @Test(
        "A pending response may be invalidated by its key, a group or another query of its path, and not otherwise",
        arguments: Change.allCases,
        [true, false]
    )
    func mayBe(change: Change, isOwn: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let (watch, keyed) = (
            store.watch(key("a?x=1")),
            store.watch(CacheKey(targetURI: "http://example.test/a?x=1", content: "q"))
        )
        change.happen(in: isOwn ? store : try folder.store())
        _ = store.entries(for: key("other"))
        #expect(watch.isInvalidated == (change == .key))
        // What another store has invalidated besides a key may be a group.
        let mayBe = [.key, .group, .otherQuery].contains(change) || change == .otherPath && !isOwn
        #expect(watch.mayBeInvalidated == mayBe)
        #expect(watch.isChanged == (mayBe || change == .removal))
        #expect(keyed.isInvalidated == [.key, .ownContent].contains(change))
        #expect([watch, keyed].map(\.isCleared) == Array(repeating: change == .removal, count: 2))
    }
}
